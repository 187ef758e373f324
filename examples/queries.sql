-- Questions to a database of vmafbatch (docs/schema.md describes its views). Each is a statement under a `-- name:` line;
-- scripts/quickstart.sh runs the first four. Run one yourself with
--   vmafbatch query out/quickstart.db "SELECT ..."

-- name: scores
-- One line per clip: the mean, the worst frame and the worst tenth of the luma PSNR, and how much moves.
SELECT clip,
       max(frames) AS frames,
       round(max(CASE feature WHEN 'psnr_y' THEN mean END), 3) AS psnr_y,
       round(max(CASE feature WHEN 'psnr_y' THEN min END), 3) AS worst_frame,
       round(max(CASE feature WHEN 'psnr_y' THEN p10 END), 3) AS p10,
       round(max(CASE feature WHEN 'integer_motion2' THEN mean END), 3) AS motion2
FROM clip_scores GROUP BY clip ORDER BY clip;

-- name: model
-- What a VMAF model says, worst clip first; no line where none was scored.
SELECT clip, round(mean, 3) AS vmaf, round(min, 3) AS worst_frame, round(harmonic_mean, 3) AS harmonic_mean
FROM clip_scores WHERE feature = 'vmaf' ORDER BY mean;

-- name: failures
-- What could not be scored, from which frame on, and why.
SELECT clip, frame, reason FROM failures ORDER BY clip;

-- name: ladder
-- The renditions of one title, best first; the tags are the catalogue's tag.* columns.
SELECT s.clip, t.value AS codec, round(s.mean, 3) AS psnr_y
FROM clip_scores s
JOIN tags t ON t.clip = s.clip AND t.name = 'codec'
JOIN tags content ON content.clip = s.clip AND content.name = 'content' AND content.value = 'zoom'
WHERE s.feature = 'psnr_y' ORDER BY s.mean DESC;

-- name: worst frames
-- The ten worst frames of the whole catalogue.
SELECT clip, frame, round(value, 3) AS psnr_y FROM frame_features WHERE feature = 'psnr_y' ORDER BY value LIMIT 10;

-- name: scene cuts
-- Frames that move far more than the clip's average.
SELECT f.clip, f.frame, round(f.value, 2) AS motion2, round(s.mean, 2) AS average
FROM frame_features f JOIN clip_scores s ON s.clip = f.clip AND s.feature = f.feature
WHERE f.feature = 'integer_motion2' AND f.value > 3 * s.mean ORDER BY f.value DESC LIMIT 20;

-- name: warnings
-- What was scored, but deserves a look: lengths that differ, colour tags that differ.
SELECT clip, text FROM warnings ORDER BY clip;

-- name: backends
-- What computed the values.
SELECT extractor, implementation, backend, device, count(DISTINCT clip) AS clips
FROM backends GROUP BY extractor, implementation, backend, device;

-- name: history
-- Every scoring of every clip, also older ones and those under other labels.
SELECT clip, label, run, status, feature, round(mean, 3) AS mean FROM all_clip_scores ORDER BY clip, feature, run;
