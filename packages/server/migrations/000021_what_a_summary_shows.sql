-- A summary is requested often, and for a large cluster it read every node and every open recommendation. The number of pods
-- that the nodes allow is now stored when nodes are counted. Open recommendations are summed up from a small index.
alter table cluster_state add column pods_allocatable bigint not null default 0;
update cluster_state s set pods_allocatable = (
  select coalesce(sum((facts ->> 'pods_allocatable')::bigint), 0)
  from node n where n.cluster_id = s.cluster_id and n.ended_at is null);
create index recommendation_potential on recommendation (cluster_id, category)
  include (estimated_savings, bankable_savings, snoozed_until) where status in ('pending', 'approved');
