/** A part of each bar; the first is at the bottom. */
export interface ChartSeries {
  name: string
  /** Of `chart.module.css`. */
  color: 'low' | 'medium' | 'high' | 'plain'
  values: number[]
}

/** The same numbers of another time, as a dashed line in front. Point by point: the times of both differ. */
export interface ComparedSeries {
  name: string
  values: number[]
  /** What the values come to. */
  total: string
}

/** How a chart draws its series. */
export interface ChartForm {
  interval: 'hour' | 'day' | 'month'
  /** True for areas below a line instead of bars. */
  isArea?: boolean
  /** True if the last hour, day or month is not over: its value still grows. */
  isOpenEnd?: boolean
  /** The steps between two labels of the values; whole numbers without them. */
  valueSteps?: readonly number[]
}
