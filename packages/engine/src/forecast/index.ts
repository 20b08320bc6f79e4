export { type DayCost, type DayNumber } from './day-cost.ts'
export { fitDay, type AcceptedStep, type CostHistory, type FittedDay } from './fit-forecast.ts'
export {
  forecastPeriod,
  outlookFor,
  type Outlook,
  type PeriodForecast,
  type PeriodQuestion,
} from './forecast-period.ts'
export { forecastRest, type Band, type CostForecast, type ForecastScope, type RestDay } from './forecast-rest.ts'
export { periodAround, type DaySpan, type RecurringPeriod } from './period.ts'
