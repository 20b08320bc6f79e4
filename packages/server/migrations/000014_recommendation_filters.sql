-- Lists and totals are filtered by many columns that have no index. One index, a quarter of the size of the table, contains
-- these columns, so that rows that do not match are not read.
drop index recommendation_totals;
create index recommendation_filters on recommendation (cluster_id, status)
  include (recommendation_id, namespace, workload_name, rule_id, category, severity, severity_rank, risk, estimated_savings,
    bankable_savings, created_at, snoozed_until, search_text);
-- A query for one namespace reads few rows.
create index recommendation_by_namespace on recommendation (cluster_id, namespace, status)
  include (estimated_savings, snoozed_until);
