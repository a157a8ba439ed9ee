"""What an organiser does from the command line: a sub-command each, around one service."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.urls import reverse

from engine.errors import BadInput
from tournaments.acts import ACTS as LISTED
from tournaments.acts.base import Kind
from tournaments.formats.base import ByeKind, EntrantId
from tournaments.models import Tournament
from tournaments.selectors import names_of, player_named
from tournaments.services import entrants, entries, pairings, results, running
from tournaments.services.rounds import is_complete
from tournaments.services.tournaments import tournament_start
from tournaments.spec import exact_points

_Arguments = Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Act:
    """One sub-command."""

    name: str
    help: str
    arguments: _Arguments
    """Of :meth:`ArgumentParser.add_argument`, by their names."""
    do: Callable[[Tournament, Namespace, Mapping[str, Any]], str]
    """Does it and says what was done; the last argument is what every service wants."""


def add_acts(commands: Any) -> None:
    """Declare the sub-commands."""
    for act in ACTS:
        parser: ArgumentParser = commands.add_parser(act.name, help=act.help, description=act.help)
        parser.add_argument("tournament", help="slug of the tournament, as in its address")
        for name, settings in act.arguments.items():
            parser.add_argument(name, **settings)
        parser.add_argument("--by", metavar="PLAYER", help="who acts; stands in the log")
        parser.set_defaults(act=act)


def do(tournament: Tournament, options: Namespace) -> str:
    """Carry out the sub-command that was given; return what to print."""
    shared: dict[str, Any] = {"tournament_id": tournament.pk}
    if options.by:
        shared["by"] = player_named(options.by)
    act: Act = options.act
    return act.do(tournament, options, shared)


_PLAYER: _Arguments = {"player": {"help": "name or id"}}
_REASON: _Arguments = {"--reason": {"required": True, "help": "shown in the log"}}
_GAME: _Arguments = {"game": {"type": int, "help": "its number in the tournament"}}


def _enter(tournament: Tournament, options: Namespace, shared: Mapping[str, Any]) -> str:
    player = entries.player_known(tournament, options.player)
    entrant = entrants.entrant_enter(player=player, **shared)
    return f"{entrant.player} entered {tournament} as number {entrant.number}."


def _withdraw(tournament: Tournament, options: Namespace, shared: Mapping[str, Any]) -> str:
    player = player_named(options.player)
    entrants.entrant_withdraw(player=player, reason=options.reason, **shared)
    return f"{player} is withdrawn."


def _return(tournament: Tournament, options: Namespace, shared: Mapping[str, Any]) -> str:
    player = player_named(options.player)
    entrants.entrant_return(player=player, **shared)
    return f"{player} plays again."


def _disqualify(tournament: Tournament, options: Namespace, shared: Mapping[str, Any]) -> str:
    player = player_named(options.player)
    entrants.entrant_disqualify(player=player, reason=options.reason, **shared)
    return f"{player} is disqualified."


def _bye(tournament: Tournament, options: Namespace, shared: Mapping[str, Any]) -> str:
    player = player_named(options.player)
    if options.cancel:
        entrants.bye_cancel(player=player, **shared)
        return f"{player} will be there."
    kind = ByeKind.ZERO if options.zero else ByeKind.REQUESTED
    round_ = entrants.bye_request(player=player, kind=kind, **shared)
    return f"{player} has a {kind} bye in round {round_}."


def _no_show(tournament: Tournament, options: Namespace, shared: Mapping[str, Any]) -> str:
    player = player_named(options.player)
    entrants.no_show(player=player, reason=options.reason, **shared)
    return f"{player} has a forfeit loss."


def _correct(tournament: Tournament, options: Namespace, shared: Mapping[str, Any]) -> str:
    results.result_correct(
        game_number=options.game,
        scores=options.scores,
        ranks=options.ranks,
        reason=options.reason,
        **shared,
    )
    return f"The result of game {options.game} is corrected."


def _void(tournament: Tournament, options: Namespace, shared: Mapping[str, Any]) -> str:
    number = results.game_void(game_number=options.game, reason=options.reason, **shared)
    if number is None:
        return f"Game {options.game} is void; everybody at the table has the average."
    return f"Game {options.game} is void; the table plays again as game {number}."


def _penalise(tournament: Tournament, options: Namespace, shared: Mapping[str, Any]) -> str:
    player = player_named(options.player)
    points = exact_points(options.points, "points")
    number = results.penalty_give(player=player, points=points, reason=options.reason, **shared)
    return f"{player} loses {points}; this is penalty {number}."


def _lift(tournament: Tournament, options: Namespace, shared: Mapping[str, Any]) -> str:
    results.penalty_lift(penalty=options.penalty, reason=options.reason, **shared)
    return f"Penalty {options.penalty} is lifted."


def _advance(tournament: Tournament, options: Namespace, shared: Mapping[str, Any]) -> str:
    if tournament.status == Tournament.Status.OPEN:
        tournament_start(**shared)
        return f"{tournament} is started."
    if is_complete(tournament):
        running.tournament_finish(**shared)
        return f"{tournament} is finished."
    running.round_open(**shared)
    return f"The next round of {tournament} opens."


def _cancel(tournament: Tournament, options: Namespace, shared: Mapping[str, Any]) -> str:
    running.tournament_cancel(reason=options.reason, **shared)
    return f"{tournament} is cancelled."


def _bots(tournament: Tournament, options: Namespace, shared: Mapping[str, Any]) -> str:
    entered = entries.bots_enter(bot=options.bot, count=options.count, **shared)
    return f"{len(entered)} entered {tournament}."


def _import(tournament: Tournament, options: Namespace, shared: Mapping[str, Any]) -> str:
    try:
        text = options.file.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"{options.file}: {error}") from None
    entered = entries.entrants_import(text=text, **shared)
    return f"{len(entered)} entered {tournament}."


def _pause(tournament: Tournament, options: Namespace, shared: Mapping[str, Any]) -> str:
    pairings.tournament_pause(**shared)
    return f"{tournament} is paused; no further round starts."


def _resume(tournament: Tournament, options: Namespace, shared: Mapping[str, Any]) -> str:
    pairings.tournament_resume(**shared)
    return f"{tournament} goes on."


def _pairing(tournament: Tournament, options: Namespace, shared: Mapping[str, Any]) -> str:
    if options.drop:
        pairings.pairing_drop(**shared)
        return "The pairing by hand is dropped."
    if not options.tables:
        return _shown(tournament)
    tables = [[player_named(name) for name in table.split(",")] for table in options.tables]
    byes = {player_named(name): ByeKind.ALLOCATED for name in options.bye}
    number = pairings.pairing_set(tables=tables, byes=byes, reason=options.reason or "", **shared)
    return f"Round {number} is paired by hand; it counts when the round starts."


def _shown(tournament: Tournament) -> str:
    """Return the next round as it would be paired now."""
    pairing = pairings.pairing_preview(tournament_id=tournament.pk)
    if pairing is None:
        return "The phase is complete; there is no further round."
    ids = [e for table in pairing.tables for e in table] + [bye.entrant for bye in pairing.byes]
    ids += [entrant for note in pairing.notes for entrant in note.entrants]
    names: dict[EntrantId, str] = dict(names_of(map(str, ids)).items())
    lines = [
        f"Table {number}: {', '.join(names[entrant] for entrant in table)}"
        for number, table in enumerate(pairing.tables, 1)
    ]
    lines += [f"{names[bye.entrant]}: {bye.kind} bye" for bye in pairing.byes]
    for note in pairing.notes:
        where = f"table {note.table}: " if note.table else ""
        lines.append(f"  {where}{note.say(names)}")
    return "\n".join(lines)


def _listed(name: str, done: str) -> Act:
    """Return the sub-command of an act that stands in the list for pages and API.

    :param done: what it says: of the tournament, what was given, and the invitation's address.
    """
    act = LISTED[name]
    arguments = {
        field: {"type": int if about.kind == Kind.WHOLE else str, "help": about.help or about.label}
        for field, about in act.fields.items()
    }

    def do(tournament: Tournament, options: Namespace, shared: Mapping[str, Any]) -> str:
        given = {field: getattr(options, field) for field in act.fields}
        act.do(tournament, shared.get("by"), **given)
        tournament.refresh_from_db()
        word = tournament.invitation
        address = reverse("invitation", args=[tournament.slug, word]) if word else ""
        return done.format(tournament=tournament, address=address, **given)

    return Act(name, f"{act.title[0].lower()}{act.title[1:]}", arguments, do)


_NO_REASON: _Arguments = {"--reason": {"default": "", "help": "shown in the log"}}

ACTS: Sequence[Act] = (
    Act("enter", "enter a player, before the start or late", _PLAYER, _enter),
    Act(
        "bots",
        "enter so many built-in bots",
        {
            "bot": {"help": "policy, such as greedy"},
            "count": {"type": int, "nargs": "?", "default": 1},
        },
        _bots,
    ),
    Act(
        "import",
        "enter everybody whom a CSV file names, one a line by name or id; all or nobody",
        {"file": {"type": Path, "metavar": "FILE.csv"}},
        _import,
    ),
    Act("withdraw", "take an entrant out; results stand", {**_PLAYER, **_NO_REASON}, _withdraw),
    Act("return", "let somebody who has withdrawn play again", _PLAYER, _return),
    Act("disqualify", "take an entrant out for good", {**_PLAYER, **_REASON}, _disqualify),
    Act(
        "bye",
        "leave an entrant out of the next round",
        {
            **_PLAYER,
            "--zero": {"action": "store_true", "help": "an absence: a bye worth nothing"},
            "--cancel": {"action": "store_true", "help": "take the request back"},
        },
        _bye,
    ),
    Act(
        "no-show",
        "let a table that has not begun play without somebody",
        {**_PLAYER, "--reason": {"default": "did not come", "help": "shown in the log"}},
        _no_show,
    ),
    Act(
        "correct",
        "correct the result of a table",
        {
            **_GAME,
            "scores": {"type": int, "nargs": "+", "help": "by seat"},
            "--ranks": {"type": int, "nargs": "+", "help": "places by seat, if not by score"},
            **_REASON,
        },
        _correct,
    ),
    Act("void", "void a game and let its table play again", {**_GAME, **_REASON}, _void),
    Act(
        "penalise",
        "take points away in the phase that is played",
        {**_PLAYER, "points": {"help": "exact, such as 1/2"}, **_REASON},
        _penalise,
    ),
    Act(
        "lift",
        "take a penalty back",
        {"penalty": {"type": int, "help": "its number: a line of the log"}, **_REASON},
        _lift,
    ),
    Act("advance", "start it, open the next round now, or finish it after the last", {}, _advance),
    Act("cancel", "call it off for good; results so far stand", _REASON, _cancel),
    Act("pause", "start no further round for now", {}, _pause),
    Act("resume", "start rounds again", {}, _resume),
    Act(
        "pairing",
        "show the next round as it would be paired, or pair it by hand",
        {
            "tables": {"nargs": "*", "metavar": "ANN,BOB", "help": "players of a table by seat"},
            "--bye": {"action": "append", "default": [], "metavar": "PLAYER"},
            "--drop": {"action": "store_true", "help": "forget the pairing by hand"},
            **_NO_REASON,
        },
        _pairing,
    ),
    _listed("no-show-rule", "Who does not play forfeits after {minutes} minutes; after 0, never."),
    _listed("invite", "Whoever has {address} may enter {tournament}; earlier links hold no more."),
    _listed("uninvite", "The invitation to {tournament} holds no more."),
    _listed("organiser", "{user} organises {tournament}, too."),
    _listed("organiser-remove", "{user} organises {tournament} no more."),
    _listed("publish", "{tournament} is published as of today."),
)
