"""The run folder: one holder at a time, private, and made anew when it is somebody else's."""

from __future__ import annotations

import os
import stat

import pytest

from config.stack import StackError, folders


def test_the_folder_is_private_and_keeps_its_secrets(tmp_path):
    with folders.hold(tmp_path, "demo") as folder:
        secret = folder.secret("secret-key")
        assert stat.S_IMODE(folder.path.stat().st_mode) == 0o700
        assert stat.S_IMODE((folder.path / "secret-key").stat().st_mode) == 0o600
        assert len(secret) >= 50
    with folders.hold(tmp_path, "demo") as folder:
        assert folder.secret("secret-key") == secret


def test_a_second_holder_is_told_who_holds_it(tmp_path):
    with folders.hold(tmp_path, "demo") as folder:
        folder.announce("http://127.0.0.1:8000")
        with (
            pytest.raises(StackError, match=rf"process {os.getpid()} http://127\.0\.0\.1:8000"),
            folders.hold(tmp_path, "demo"),
        ):
            pass
        with folders.hold(tmp_path, "test"):  # the other stack may run at the same time
            pass
    with folders.hold(tmp_path, "demo"):
        pass


def test_a_folder_of_another_user_is_moved_aside(tmp_path, monkeypatch, capsys):
    foreign = tmp_path / ".run" / "demo"
    foreign.mkdir(parents=True)
    (foreign / "data").mkdir()
    owner = foreign.stat().st_uid
    monkeypatch.setattr(os, "geteuid", lambda: owner + 1)
    with folders.hold(tmp_path, "demo") as folder:
        assert not (folder.path / "data").exists()
    aside = [path for path in (tmp_path / ".run").iterdir() if (path / "data").exists()]
    assert len(aside) == 1
    assert str(aside[0]) in capsys.readouterr().out


def test_a_link_in_its_place_is_not_followed(tmp_path):
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / ".run").mkdir()
    (tmp_path / ".run" / "demo").symlink_to(tmp_path / "elsewhere")
    with folders.hold(tmp_path, "demo") as folder:
        assert not folder.path.is_symlink()


def test_only_a_trusted_place_outside_is_used_or_removed(tmp_path):
    place = tmp_path / "place"
    place.mkdir(mode=0o755)
    (tmp_path / "outside").write_text(str(place))
    assert folders.outside(tmp_path) == place
    place.chmod(0o777)
    assert folders.outside(tmp_path) is None
    folders.remove_outside(tmp_path)
    assert place.exists()
    assert not (tmp_path / "outside").exists()
