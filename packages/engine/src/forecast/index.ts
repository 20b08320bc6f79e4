export { type DayCost } from './day-cost.ts'
export { forecastPeriod, outlookFor } from './forecast-period.ts'
export { forecastRest, type CostForecast } from './forecast-rest.ts'
export { periodAround } from './period.ts'
