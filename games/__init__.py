"""Users, players, games, the event log, play and replays."""
