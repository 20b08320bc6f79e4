-- The list of the whole fleet is sorted by bankable savings.
create index recommendation_fleet_by_bankable on recommendation (status, (coalesce(bankable_savings, 0)), recommendation_id);
