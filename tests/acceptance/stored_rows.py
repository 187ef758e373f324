"""What a database says, without what may differ between two runs of one catalogue: row numbers, times of day, seconds, counters.

Stricter than `diff`: every table's rows, values by their bits. Needs only Python's standard library.
"""
import sqlite3
import struct

SCORING_COLUMNS = ["status", "reference_path", "reference_size", "reference_mtime_ns", "distorted_path", "distorted_size",
                   "distorted_mtime_ns", "options", "width", "height", "pixel_format", "fps", "pictures", "program_version", "c_library",
                   "processor", "decoder", "subsample", "frames", "identical_frames"]
POOLED_COLUMNS = "p.frames, p.mean, p.min, p.max, p.harmonic_mean, p.stddev, p.p1, p.p5, p.p10, p.p50, p.p90, p.p95, p.p99, p.infinite, p.finite_mean"
COLUMN_JOIN = "scoring_feature sf JOIN feature f ON f.id = sf.feature"

# What belongs to a scoring: name -> a query whose parameter is the scoring. Its rows, in this order, must be equal.
OF_A_SCORING = {
    "models": "SELECT name, path, hash FROM scoring_model WHERE scoring = ? ORDER BY name",
    "extractors": "SELECT extractor, name, options FROM scoring_extractor WHERE scoring = ? ORDER BY extractor",
    "columns": f"SELECT f.name, sf.scope, sf.source, sf.position FROM {COLUMN_JOIN} WHERE sf.scoring = ? ORDER BY f.name",
    "frames": f"SELECT f.name, v.frame, v.value FROM {COLUMN_JOIN} JOIN frame_score v ON v.scoring_feature = sf.id WHERE sf.scoring = ? "
              "ORDER BY f.name, v.frame",
    "pooled": f"SELECT f.name, {POOLED_COLUMNS} FROM {COLUMN_JOIN} JOIN pooled_score p ON p.scoring_feature = sf.id WHERE sf.scoring = ? "
              "ORDER BY f.name",
    "aggregates": f"SELECT f.name, a.value FROM {COLUMN_JOIN} JOIN aggregate_score a ON a.scoring_feature = sf.id WHERE sf.scoring = ? "
                  "ORDER BY f.name",
    "failures": "SELECT extractor, frame, reason FROM failure WHERE scoring = ? ORDER BY id",
    "warnings": "SELECT text FROM warning WHERE scoring = ? ORDER BY id",
    "tags": "SELECT t.name, t.value FROM tag t JOIN scoring s ON s.clip = t.clip WHERE s.id = ? ORDER BY t.name",
}


def bits(value):
    return struct.pack("<d", value) if isinstance(value, float) else value


def rows(connection, query, *parameters):
    return [tuple(bits(value) for value in row) for row in connection.execute(query, parameters)]


def backends_without_gaps(connection, scoring, frames, last):
    """The ranges of each extractor, begun at 0, each where the one before it ended; what they cover where they do, else a sentence."""
    ranges = {}
    for extractor, first_frame, last_frame in connection.execute(
            "SELECT extractor, first_frame, last_frame FROM feature_backend WHERE scoring = ? ORDER BY extractor, first_frame", (scoring,)):
        expected = ranges.get(extractor, -1) + 1
        if first_frame != expected or last_frame < first_frame:
            return f"extractor {extractor}: a range from {first_frame} to {last_frame} where {expected} is expected"
        ranges[extractor] = last_frame
    if last and any(end != frames - 1 for end in ranges.values()):
        return f"the ranges end at {sorted(set(ranges.values()))}, and {frames} frames were scored"
    return sorted(ranges.items())


def stored(path, exact_backends):
    """{(clip, label): {what: rows}} of a database in which every scoring ended. exact_backends: which backend computed them counts, too."""
    connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    try:
        found = {"": {}}
        for table in ("measurement", "frame_time"):
            found[""][table] = rows(connection, f"SELECT count(*) FROM {table}")
        found[""]["features"] = rows(connection, "SELECT name FROM feature ORDER BY name")
        scorings = connection.execute(
            f"SELECT s.id, c.name, s.label, {', '.join('s.' + column for column in SCORING_COLUMNS)} FROM scoring s JOIN clip c ON c.id = s.clip "
            "ORDER BY s.id").fetchall()
        for scoring, clip, label, *columns in scorings:
            key = f"{clip} {label}".strip()
            if key in found:
                found[key]["twice"] = [scoring]
                continue
            what = {name: [bits(value)] for name, value in zip(SCORING_COLUMNS, columns)}
            for name, query in OF_A_SCORING.items():
                what[name] = rows(connection, query, scoring)
            whole = what["status"] == ["done"]
            what["backend ranges"] = [backends_without_gaps(connection, scoring, columns[SCORING_COLUMNS.index("frames")], whole)]
            if exact_backends:
                what["backends"] = rows(connection, "SELECT extractor, first_frame, last_frame, implementation, backend, device, reason "
                                                    "FROM feature_backend WHERE scoring = ? ORDER BY extractor, first_frame", scoring)
            found[key] = what
        return found
    finally:
        connection.close()


def differences(old, new):
    """Sentences, the first few of each clip."""
    found = [f"{clip or 'the database'} is only in the {'old' if clip in old else 'new'} one" for clip in sorted(set(old) ^ set(new))]
    for clip in sorted(set(old) & set(new)):
        for what in sorted(set(old[clip]) | set(new[clip])):
            left, right = old[clip].get(what), new[clip].get(what)
            if left == right:
                continue
            if left is None or right is None:
                found.append(f"{clip}: {what} is only on one side")
                continue
            at = next((i for i, (a, b) in enumerate(zip(left, right)) if a != b), min(len(left), len(right)))
            found.append(f"{clip}: {what}: {len(left)} and {len(right)} rows, first different at {at}: {left[at:at + 1]} and {right[at:at + 1]}")
    return found
