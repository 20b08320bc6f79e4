-- A path is proved by one rendering of one chart. What was proved with the old sentinel could have been any path, so it counts as
-- declared until it is proved again; what is proved from now on holds as long as the workload comes from the chart that was shown.
alter table helm_path add column proved_chart text;
comment on column helm_path.proved_chart is 'the label helm.sh/chart of what was rendered; null: not proved, or the chart sets none';
update helm_path set is_verified = false;
