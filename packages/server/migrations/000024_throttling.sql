-- How often the CPU limit of a container made it wait: periods of the kernel's scheduler in which the limit was enforced, and in how
-- many of them it was reached, over all pods. Null: nobody told, which is not the same as never.
alter table usage_hour add column cpu_periods bigint, add column throttled_periods bigint;
