-- Two users can edit a setting at the same time: with a revision, the second edit is rejected.
alter table helm_path add column revision integer not null default 1;

-- A query for a removed rule reads all clusters and mostly finds no row, so it needs an index.
create index recommendation_rule on recommendation (rule_id);
create index recommendation_withheld_rule on recommendation_withheld (rule_id);
