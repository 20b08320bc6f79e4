-- A path is proved by one rendering of one chart. Any path could have passed the proof with the old sentinel, so earlier proofs count
-- as declared until they are repeated. A new proof is valid while the workload comes from the chart of the rendering.
alter table helm_path add column proved_chart text;
comment on column helm_path.proved_chart is 'the label helm.sh/chart of what was rendered; null: not proved, or the chart sets none';
update helm_path set is_verified = false;
