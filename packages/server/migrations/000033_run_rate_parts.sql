-- The parts of the run rate, written together with monthly_cost, so that the parts and the total have one definition.
alter table cluster_state add column monthly_compute numeric not null default 0;
alter table cluster_state add column monthly_storage numeric not null default 0;
alter table cluster_state add column monthly_load_balancer numeric not null default 0;
alter table cluster_state add column monthly_overhead numeric not null default 0;

-- Clusters with an agent are written again within a minute. For the others the parts are the shares of their classes.
with listed as (
  select cluster_id, 'compute' as part, sum(coalesce(c.nodes * r.node_usd_per_hour, 3600 * (c.cpu_units * r.cpu_usd_per_microcore_second
    + c.memory_units * r.memory_usd_per_kib_second), 0)) as usd
  from node_class c join rate r using (rate_id) group by 1
  union all
  select cluster_id, kind, sum(c.units * coalesce(r.asset_usd_per_unit_second, 0)) * 3600
  from asset_class c join rate r using (rate_id) group by 1, 2),
share as (select cluster_id, part, usd / nullif(sum(usd) over (partition by cluster_id), 0) as fraction from listed),
parts as (
  select cluster_id, sum(fraction) filter (where part = 'volume') as storage,
    sum(fraction) filter (where part = 'balancer') as load_balancer,
    sum(fraction) filter (where part = 'control_plane') as overhead
  from share group by 1)
update cluster_state s set
  monthly_storage = round(s.monthly_cost * coalesce(parts.storage, 0), 12),
  monthly_load_balancer = round(s.monthly_cost * coalesce(parts.load_balancer, 0), 12),
  monthly_overhead = round(s.monthly_cost * coalesce(parts.overhead, 0), 12)
from parts where parts.cluster_id = s.cluster_id;

update cluster_state set monthly_compute = monthly_cost - monthly_storage - monthly_load_balancer - monthly_overhead;
