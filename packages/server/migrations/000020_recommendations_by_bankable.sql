-- The list of the whole fleet begins with what really leaves the bill.
create index recommendation_fleet_by_bankable on recommendation (status, (coalesce(bankable_savings, 0)), recommendation_id);
