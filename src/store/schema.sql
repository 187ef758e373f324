-- The schema of a vmafbatch database, version 1 (PRAGMA user_version). docs/schema.md explains it.
--
-- Scores have no declared type: a REAL column would turn -0.0 into 0.0. NaN is never stored.
-- Names and paths are TEXT, or a BLOB with the same bytes where they are no valid UTF-8.
-- Times are UTC, "2026-01-31T12:34:56Z". REFERENCES say what belongs to what; they are not enforced while writing.

CREATE TABLE run (
  id INTEGER PRIMARY KEY,
  started_at TEXT NOT NULL,
  ended_at TEXT,                       -- NULL: still running, or killed
  command_line NOT NULL,
  program_version TEXT NOT NULL,
  c_library TEXT NOT NULL,
  processor TEXT NOT NULL,
  host NOT NULL
);

CREATE TABLE clip (
  id INTEGER PRIMARY KEY,
  name NOT NULL UNIQUE
);

-- The catalogue's tag.* columns, as the last run gave them.
CREATE TABLE tag (
  clip INTEGER NOT NULL REFERENCES clip(id),
  name NOT NULL,
  value NOT NULL,
  PRIMARY KEY (clip, name)
) WITHOUT ROWID;

-- One clip under one set of options.
CREATE TABLE scoring (
  id INTEGER PRIMARY KEY,
  run INTEGER NOT NULL REFERENCES run(id),
  clip INTEGER NOT NULL REFERENCES clip(id),
  label NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('running', 'done', 'partial', 'failed')),
  finished INTEGER,                    -- the order in which scorings ended, over the whole database; NULL while running
  reference_path NOT NULL,
  reference_size INTEGER NOT NULL,
  reference_mtime_ns INTEGER NOT NULL,
  reference_hash TEXT,
  distorted_path NOT NULL,
  distorted_size INTEGER NOT NULL,
  distorted_mtime_ns INTEGER NOT NULL,
  distorted_hash TEXT,
  options NOT NULL,                    -- canonical text of all that decides the values
  width INTEGER NOT NULL,
  height INTEGER NOT NULL,
  pixel_format TEXT NOT NULL,
  fps REAL,
  pictures NOT NULL,                   -- what was done to the pictures before they were scored
  program_version TEXT NOT NULL,
  c_library TEXT NOT NULL,
  processor TEXT NOT NULL,
  decoder TEXT NOT NULL,               -- "libavcodec 59.37.100"
  subsample INTEGER NOT NULL DEFAULT 1,
  frames INTEGER,                      -- picture pairs seen
  identical_frames INTEGER,
  decoded_reference INTEGER,
  decoded_distorted INTEGER,
  seconds REAL,
  decode_seconds REAL,
  started_at TEXT NOT NULL,
  ended_at TEXT
);
CREATE INDEX scoring_by_clip ON scoring (clip, finished);

CREATE TABLE scoring_model (
  scoring INTEGER NOT NULL REFERENCES scoring(id),
  name NOT NULL,                       -- the key of its column
  path NOT NULL,
  hash TEXT NOT NULL,
  PRIMARY KEY (scoring, name)
) WITHOUT ROWID;

-- The extractor instances of a scoring, in order of registration.
CREATE TABLE scoring_extractor (
  scoring INTEGER NOT NULL REFERENCES scoring(id),
  extractor INTEGER NOT NULL,          -- 0, 1, 2 ...
  name TEXT NOT NULL,                  -- as it was asked for
  options TEXT NOT NULL,
  PRIMARY KEY (scoring, extractor)
) WITHOUT ROWID;

CREATE TABLE feature (
  id INTEGER PRIMARY KEY,
  name NOT NULL UNIQUE
);

-- A column of a scoring: one small number per (scoring, feature), which keeps frame_score small.
CREATE TABLE scoring_feature (
  id INTEGER PRIMARY KEY,
  scoring INTEGER NOT NULL REFERENCES scoring(id),
  feature INTEGER NOT NULL REFERENCES feature(id),
  scope TEXT NOT NULL CHECK (scope IN ('frame', 'series', 'aggregate')),
  source TEXT NOT NULL,                -- the extractor or model that gives it; NAME=OPTIONS of several instances
  position INTEGER NOT NULL,           -- order in reports
  UNIQUE (scoring, feature)
);

CREATE TABLE frame_score (
  scoring_feature INTEGER NOT NULL REFERENCES scoring_feature(id),
  frame INTEGER NOT NULL,
  value CHECK (typeof(value) = 'real'),
  PRIMARY KEY (scoring_feature, frame)
) WITHOUT ROWID;

CREATE TABLE aggregate_score (
  scoring_feature INTEGER PRIMARY KEY REFERENCES scoring_feature(id),
  value CHECK (typeof(value) = 'real')
);

-- NULL where IEEE arithmetic gives NaN (the mean of inf and -inf, the deviation around an infinite mean).
CREATE TABLE pooled_score (
  scoring_feature INTEGER PRIMARY KEY REFERENCES scoring_feature(id),
  frames INTEGER NOT NULL,
  mean, min, max, harmonic_mean, stddev,
  p1, p5, p10, p50, p90, p95, p99,
  infinite INTEGER NOT NULL,           -- how many values are inf or -inf
  finite_mean,                         -- over the others
  CHECK (typeof(min) = 'real' AND typeof(max) = 'real'),
  CHECK (typeof(mean) IN ('real', 'null') AND typeof(harmonic_mean) IN ('real', 'null')),
  CHECK (typeof(stddev) IN ('real', 'null') AND typeof(finite_mean) IN ('real', 'null'))
);

-- What a series needs and no feature holds; only while a scoring is unfinished. words: 64-bit, little endian.
CREATE TABLE measurement (
  scoring INTEGER NOT NULL REFERENCES scoring(id),
  extractor INTEGER NOT NULL,
  frame INTEGER NOT NULL,
  words BLOB NOT NULL,
  PRIMARY KEY (scoring, extractor, frame)
) WITHOUT ROWID;

-- Presentation times, by which a resumed scoring finds its place; only while a scoring is unfinished.
CREATE TABLE frame_time (
  scoring INTEGER NOT NULL REFERENCES scoring(id),
  frame INTEGER NOT NULL,
  reference_ns INTEGER NOT NULL,
  distorted_ns INTEGER NOT NULL,
  PRIMARY KEY (scoring, frame)
) WITHOUT ROWID;

CREATE TABLE feature_backend (
  scoring INTEGER NOT NULL REFERENCES scoring(id),
  extractor INTEGER NOT NULL,
  first_frame INTEGER NOT NULL,
  last_frame INTEGER NOT NULL,
  implementation TEXT NOT NULL,        -- what ran
  backend TEXT NOT NULL,
  device NOT NULL,
  reason NOT NULL,                     -- why not the backend that was asked for
  PRIMARY KEY (scoring, extractor, first_frame)
) WITHOUT ROWID;

CREATE TABLE failure (
  id INTEGER PRIMARY KEY,
  scoring INTEGER NOT NULL REFERENCES scoring(id),
  extractor INTEGER,                   -- NULL: the clip itself
  frame INTEGER,                       -- NULL: no particular one
  reason NOT NULL
);
CREATE INDEX failure_by_scoring ON failure (scoring);

CREATE TABLE warning (
  id INTEGER PRIMARY KEY,
  scoring INTEGER NOT NULL REFERENCES scoring(id),
  text NOT NULL
);
CREATE INDEX warning_by_scoring ON warning (scoring);

-- The newest finished scoring of each clip: what the views without "all_" show.
CREATE VIEW newest_scoring AS
  SELECT s.* FROM scoring s WHERE s.finished = (SELECT max(n.finished) FROM scoring n WHERE n.clip = s.clip);

-- CROSS JOIN tells SQLite to look for the columns first and for their values last.
CREATE VIEW all_frame_features AS
  SELECT c.name AS clip, v.frame AS frame, f.name AS feature, v.value AS value,
         s.id AS scoring, s.label AS label, s.run AS run, s.status AS status
  FROM clip c JOIN scoring s ON s.clip = c.id JOIN scoring_feature sf ON sf.scoring = s.id
       JOIN feature f ON f.id = sf.feature CROSS JOIN frame_score v ON v.scoring_feature = sf.id;

CREATE VIEW frame_features AS
  SELECT c.name AS clip, v.frame AS frame, f.name AS feature, v.value AS value
  FROM clip c JOIN newest_scoring s ON s.clip = c.id JOIN scoring_feature sf ON sf.scoring = s.id
       JOIN feature f ON f.id = sf.feature CROSS JOIN frame_score v ON v.scoring_feature = sf.id;

CREATE VIEW all_clip_scores AS
  SELECT c.name AS clip, f.name AS feature, p.frames, p.mean, p.min, p.max, p.harmonic_mean, p.stddev,
         p.p1, p.p5, p.p10, p.p50, p.p90, p.p95, p.p99, p.infinite, p.finite_mean,
         s.id AS scoring, s.label AS label, s.run AS run, s.status AS status
  FROM clip c JOIN scoring s ON s.clip = c.id JOIN scoring_feature sf ON sf.scoring = s.id
       JOIN feature f ON f.id = sf.feature JOIN pooled_score p ON p.scoring_feature = sf.id;

CREATE VIEW clip_scores AS
  SELECT c.name AS clip, f.name AS feature, p.frames, p.mean, p.min, p.max, p.harmonic_mean, p.stddev,
         p.p1, p.p5, p.p10, p.p50, p.p90, p.p95, p.p99, p.infinite, p.finite_mean
  FROM clip c JOIN newest_scoring s ON s.clip = c.id JOIN scoring_feature sf ON sf.scoring = s.id
       JOIN feature f ON f.id = sf.feature JOIN pooled_score p ON p.scoring_feature = sf.id;

CREATE VIEW all_clip_aggregates AS
  SELECT c.name AS clip, f.name AS feature, a.value AS value,
         s.id AS scoring, s.label AS label, s.run AS run, s.status AS status
  FROM clip c JOIN scoring s ON s.clip = c.id JOIN scoring_feature sf ON sf.scoring = s.id
       JOIN feature f ON f.id = sf.feature JOIN aggregate_score a ON a.scoring_feature = sf.id;

CREATE VIEW clip_aggregates AS
  SELECT c.name AS clip, f.name AS feature, a.value AS value
  FROM clip c JOIN newest_scoring s ON s.clip = c.id JOIN scoring_feature sf ON sf.scoring = s.id
       JOIN feature f ON f.id = sf.feature JOIN aggregate_score a ON a.scoring_feature = sf.id;

CREATE VIEW all_backends AS
  SELECT c.name AS clip, e.name AS extractor, b.implementation, b.backend, b.device, b.reason, b.first_frame, b.last_frame,
         s.id AS scoring, s.label AS label, s.run AS run, s.status AS status
  FROM clip c JOIN scoring s ON s.clip = c.id JOIN feature_backend b ON b.scoring = s.id
       JOIN scoring_extractor e ON e.scoring = s.id AND e.extractor = b.extractor;

CREATE VIEW backends AS
  SELECT c.name AS clip, e.name AS extractor, b.implementation, b.backend, b.device, b.reason
  FROM clip c JOIN newest_scoring s ON s.clip = c.id JOIN feature_backend b ON b.scoring = s.id
       JOIN scoring_extractor e ON e.scoring = s.id AND e.extractor = b.extractor;

CREATE VIEW all_failures AS
  SELECT c.name AS clip, e.name AS extractor, x.frame AS frame, x.reason AS reason,
         s.id AS scoring, s.label AS label, s.run AS run, s.status AS status
  FROM clip c JOIN scoring s ON s.clip = c.id JOIN failure x ON x.scoring = s.id
       LEFT JOIN scoring_extractor e ON e.scoring = s.id AND e.extractor = x.extractor;

CREATE VIEW failures AS
  SELECT c.name AS clip, e.name AS extractor, x.frame AS frame, x.reason AS reason
  FROM clip c JOIN newest_scoring s ON s.clip = c.id JOIN failure x ON x.scoring = s.id
       LEFT JOIN scoring_extractor e ON e.scoring = s.id AND e.extractor = x.extractor;

CREATE VIEW all_warnings AS
  SELECT c.name AS clip, w.text AS text, s.id AS scoring, s.label AS label, s.run AS run, s.status AS status
  FROM clip c JOIN scoring s ON s.clip = c.id JOIN warning w ON w.scoring = s.id;

CREATE VIEW warnings AS
  SELECT c.name AS clip, w.text AS text
  FROM clip c JOIN newest_scoring s ON s.clip = c.id JOIN warning w ON w.scoring = s.id;

CREATE VIEW tags AS
  SELECT c.name AS clip, t.name AS name, t.value AS value FROM clip c JOIN tag t ON t.clip = c.id;
