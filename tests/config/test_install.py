"""The installer: what it says on a machine where it cannot work."""

from __future__ import annotations

import ast
import importlib.util
import os
import subprocess
import sys
import types

import pytest

from config.settings import ROOT

SCRIPT = ROOT / "requirements" / "install.py"


@pytest.fixture
def install(tmp_path, monkeypatch) -> types.ModuleType:
    spec = importlib.util.spec_from_file_location("install", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module, "ROOT", tmp_path)
    monkeypatch.setattr(module, "VENV", tmp_path / ".venv")
    monkeypatch.setattr(module, "PYTHON", tmp_path / ".venv" / "bin" / "python")
    monkeypatch.setattr(module, "STAMP", tmp_path / ".venv" / ".meldboard")
    return module


def test_an_old_python_can_still_read_the_script_and_say_what_is_missing():
    ast.parse(SCRIPT.read_text(), feature_version=(3, 7))


def test_an_old_python_is_refused_by_name(install):
    with pytest.raises(install.InstallError, match=r"3\.11 or newer.*is 3\.9.*make PYTHON="):
        install.check_python((3, 9), True)


def test_a_python_without_venv_is_told_the_package(install):
    with pytest.raises(install.InstallError, match=r"apt install python3\.12-venv"):
        install.check_python((3, 12), False)


def test_an_environment_of_another_user_is_left_alone(install, monkeypatch):
    install.VENV.mkdir()
    monkeypatch.setattr(os, "geteuid", lambda: install.VENV.stat().st_uid + 1)
    with pytest.raises(install.InstallError, match=r"was made by .* remove it \(rm -r \.venv\)"):
        install.check_owner()


def test_a_broken_environment_is_made_anew(install, monkeypatch, capsys):
    (install.VENV / "bin").mkdir(parents=True)
    install.PYTHON.symlink_to("/nowhere/python3")
    made = []
    monkeypatch.setattr(install, "run", lambda *command, **_: made.append(command))
    assert install.venv_version() is None
    assert not install.is_ready("dev")
    install.make_venv()
    assert "does not run: making it anew" in capsys.readouterr().err
    assert not install.VENV.exists()
    assert made[0][1:3] == ("-m", "venv")


def test_a_failed_uv_falls_back_to_pip(install, monkeypatch, capsys):
    commands = []

    def run(*command, **_):
        commands.append([str(word) for word in command])
        if "sync" in command:
            raise install.InstallError("no route")

    monkeypatch.setattr(install, "run", run)
    install.install_packages("dev")
    assert "falling back to pip" in capsys.readouterr().err
    assert "--require-hashes" in commands[-1] and "pip" in commands[-1]
    assert commands[-1][-1].endswith("dev.txt")


def test_an_environment_with_the_peers_is_good_for_the_tests_too(install, monkeypatch):
    monkeypatch.setattr(install, "venv_version", lambda: (3, 11))
    path = install.path_file((3, 11))
    path.parent.mkdir(parents=True)
    path.write_text(f"{install.ROOT}\n")
    install.STAMP.write_text(install.fingerprint((3, 11), "bench"))
    assert install.is_ready("bench") and install.is_ready("dev")
    install.STAMP.write_text(install.fingerprint((3, 11), "dev"))
    assert install.is_ready("dev") and not install.is_ready("bench")


def test_the_console_script_runs_from_anywhere(install, tmp_path):
    script = tmp_path / "bin" / "meldboard"
    script.parent.mkdir()
    script.write_text(install.COMMAND)
    script.chmod(0o755)
    (script.parent / "python").symlink_to(sys.executable)
    link = tmp_path / "meldboard"
    link.symlink_to(script)
    env = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT)}
    done = subprocess.run([link, "--version"], cwd="/", env=env, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
