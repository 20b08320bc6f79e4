-- How often the CPU limit throttled a container: CFS periods in which the limit was enforced, and in how many of them the container
-- was throttled, over all pods. Null: not reported, which differs from never.
alter table usage_hour add column cpu_periods bigint, add column throttled_periods bigint;
