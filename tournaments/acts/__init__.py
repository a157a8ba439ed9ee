"""What an organiser can do to a tournament: every act once, for its pages and for the API."""

from __future__ import annotations

from collections.abc import Mapping

from tournaments.acts import doing
from tournaments.acts.base import (
    Act,
    Field,
    Kind,
    Part,
    always,
    is_on,
    is_open,
    is_running,
    takes_entries,
)
from tournaments.formats.base import ByeKind
from tournaments.services import access, entrants, entries, pairings, results, running, snapshots
from tournaments.services.rounds import is_complete
from tournaments.services.tournaments import tournament_start
from tournaments.spec import MAX_ENTRANTS

_REASON = Field("Reason", "Shown in the log")
_ENTRANT = Field("Entrant", "Name or id", Kind.ENTRANT, most=40)
_GAME = Field("Game number", "In this tournament", Kind.WHOLE, most=999_999)

_ACTS = (
    Act(
        "start",
        Part.ROUNDS,
        "Start now",
        "Begins with those who have entered. A start cannot be taken back.",
        doing.plain(tournament_start),
        final=True,
        when=is_open,
    ),
    Act(
        "open",
        Part.ROUNDS,
        "Open the next round",
        "Pairs and starts the next round now, whatever the schedule says. A phase that is complete"
        " is closed before: its results are final then.",
        doing.plain(running.round_open),
        when=lambda of: doing.is_between(of) and not is_complete(of),
    ),
    Act(
        "finish",
        Part.ROUNDS,
        "Finish the tournament",
        "All rounds are played out. This closes the last phase: its results are final then, and the"
        " seed is revealed. It cannot be undone.",
        doing.plain(running.tournament_finish),
        final=True,
        when=lambda of: doing.is_between(of) and is_complete(of),
    ),
    Act(
        "pause",
        Part.ROUNDS,
        "Pause",
        "No further round starts until you resume; what is being played goes on.",
        doing.plain(pairings.tournament_pause),
        when=lambda of: is_on(of) and not of.paused,
    ),
    Act(
        "resume",
        Part.ROUNDS,
        "Resume",
        "Rounds start again as the schedule says.",
        doing.plain(pairings.tournament_resume),
        when=lambda of: is_on(of) and of.paused,
    ),
    Act(
        "bye",
        Part.ROUNDS,
        "Give a bye",
        "Leaves an entrant out of the next round: asked for, or absent without points.",
        doing.bye,
        {
            "player": _ENTRANT,
            "kind": Field("Kind", most=12, default=str(ByeKind.REQUESTED), choices=doing.requested),
        },
        when=doing.is_to_come,
    ),
    Act(
        "bye-cancel",
        Part.ROUNDS,
        "Take a bye back",
        "The entrant plays in the next round after all.",
        doing.on_player(entrants.bye_cancel),
        {"player": Field("Bye", most=40, choices=doing.asked)},
        when=lambda of: is_on(of) and bool(doing.asked(of)),
    ),
    Act(
        "no-show",
        Part.ROUNDS,
        "Somebody did not come",
        "A forfeit loss; the others at the table get a new game, or who is alone a forfeit win."
        " Only while the table has not begun, and it cannot be undone.",
        doing.on_player(entrants.no_show),
        {"player": _ENTRANT, "reason": Field("Reason", "Shown in the log", default="did not come")},
        final=True,
        when=doing.is_playing,
    ),
    Act(
        "no-show-rule",
        Part.ROUNDS,
        "Set the no-show rule",
        "Whoever lets a game wait for so many minutes forfeits it by themselves; 0: nobody does.",
        doing.no_show_rule,
        {"minutes": Field("Minutes", kind=Kind.WHOLE, most=100_000, least=0)},
    ),
    Act(
        "cancel",
        Part.ROUNDS,
        "Cancel for good",
        "Ends the tournament: games being played are called off, results so far stand, and the"
        " seed is revealed. It cannot be undone.",
        doing.plain(running.tournament_cancel),
        {"reason": _REASON},
        final=True,
    ),
    Act(
        "pairing",
        Part.PAIRING,
        "Pair the next round by hand",
        "Everybody who is there has one seat or one bye. It counts when the round starts.",
        doing.pair,
        {
            "tables": Field("Tables", "One a line: names in the order of the seats", Kind.SEATS),
            "byes": Field(
                "Byes",
                f"One a line, such as Ann: requested. Kinds: {', '.join(ByeKind)}",
                Kind.BYES,
                default="",
            ),
            "reason": _REASON,
        },
        when=doing.may_be_paired,
    ),
    Act(
        "pairing-drop",
        Part.PAIRING,
        "Drop the pairing by hand",
        "The format pairs the next round again.",
        doing.plain(pairings.pairing_drop),
        when=lambda of: is_running(of) and doing.made_by_hand(of),
    ),
    Act(
        "enter",
        Part.ENTRIES,
        "Enter a player",
        "A person who has an account, or a built-in bot by its number, such as Random 3.",
        doing.enter,
        {"player": Field("Player", "Name or id", most=40)},
        when=takes_entries,
    ),
    Act(
        "bots",
        Part.ENTRIES,
        "Enter bots",
        "So many built-in bots of one kind.",
        doing.plain(entries.bots_enter),
        {
            "bot": Field("Bot", most=40, choices=doing.bots),
            "count": Field("How many", kind=Kind.WHOLE, most=MAX_ENTRANTS, default=1),
        },
        when=takes_entries,
    ),
    Act(
        "import",
        Part.ENTRIES,
        "Enter a list",
        "Everybody whom a list in CSV names; all of them, or none if a line is wrong.",
        doing.plain(entries.entrants_import),
        {"text": Field("List", "A name or an id a line", Kind.LINES, most=1_000_000)},
        when=takes_entries,
    ),
    Act(
        "withdraw",
        Part.ENTRIES,
        "Withdraw",
        "Takes an entrant out. Played results stand; a game being played is forfeited, and that"
        " cannot be undone.",
        doing.on_player(entrants.entrant_withdraw),
        {"player": _ENTRANT, "reason": Field("Reason", "May be empty", default="")},
        final=True,
    ),
    Act(
        "return",
        Part.ENTRIES,
        "Let return",
        "Somebody who has withdrawn plays again; rounds missed meanwhile count as absent.",
        doing.on_player(entrants.entrant_return),
        {"player": Field("Entrant", most=40, choices=doing.withdrawn)},
        when=lambda of: is_on(of) and bool(doing.withdrawn(of)),
    ),
    Act(
        "disqualify",
        Part.ENTRIES,
        "Disqualify",
        "Takes an entrant out for good. Played results stand; there is no return.",
        doing.on_player(entrants.entrant_disqualify),
        {"player": _ENTRANT, "reason": _REASON},
        final=True,
    ),
    Act(
        "correct",
        Part.CORRECTIONS,
        "Correct a result",
        "The standings follow; no round is paired again, and the game's own record stays.",
        doing.correct,
        {
            "game_number": _GAME,
            "scores": Field("Scores", "By seat: 12 -5 30", Kind.WHOLES),
            "ranks": Field("Places", "By seat, where not by score", Kind.WHOLES, default=""),
            "reason": _REASON,
        },
        when=lambda of: doing.has_tables(of, played=True),
    ),
    Act(
        "void",
        Part.CORRECTIONS,
        "Void a game",
        "The table plays again under a new game number; on duplicate boards everybody there has"
        " the average. It cannot be undone.",
        doing.plain(results.game_void),
        {"game_number": _GAME, "reason": _REASON},
        final=True,
        when=doing.has_tables,
    ),
    Act(
        "penalise",
        Part.CORRECTIONS,
        "Give a penalty",
        "Takes points away in the phase that is played; it survives every recalculation.",
        doing.penalise,
        {
            "player": _ENTRANT,
            "points": Field("Points", "Exact, such as 1 or 1/2", most=20),
            "reason": _REASON,
        },
        when=doing.is_phase_played,
    ),
    Act(
        "lift",
        Part.CORRECTIONS,
        "Take a penalty back",
        "The points count again.",
        doing.plain(results.penalty_lift),
        {
            "penalty": Field("Penalty", kind=Kind.WHOLE, most=999_999, choices=doing.penalties),
            "reason": _REASON,
        },
        when=lambda of: is_running(of) and bool(doing.penalties(of)),
    ),
    Act(
        "invite",
        Part.ACCESS,
        "Make a new invitation link",
        "Lets people in, and lets them enter while that is open. Earlier links hold no more.",
        doing.plain(access.invitation_make),
    ),
    Act(
        "uninvite",
        Part.ACCESS,
        "Withdraw the invitation link",
        "Nobody comes in by it any more; who has entered stays.",
        doing.plain(access.invitation_drop),
        when=lambda of: bool(of.invitation),
    ),
    Act(
        "organiser",
        Part.ACCESS,
        "Add a co-organiser",
        "May do all that you may.",
        doing.on_user(access.organiser_add),
        {"user": Field("User", "Name as they sign in", most=150)},
    ),
    Act(
        "organiser-remove",
        Part.ACCESS,
        "Remove a co-organiser",
        "Takes the rights of an organiser back.",
        doing.on_user(access.organiser_remove),
        {"user": Field("User", most=150, choices=doing.co_organisers)},
        when=lambda of: bool(doing.co_organisers(of)),
    ),
    Act(
        "publish",
        Part.PUBLISH,
        "Publish as of today",
        "Keeps the standings, and the leaderboard if the games are rated, as they are now: dated,"
        " unchangeable, with a digest. One is kept each night too.",
        doing.plain(snapshots.standings_publish),
        when=always,
    ),
)

ACTS: Mapping[str, Act] = {act.name: act for act in _ACTS}
