/** A part of each bar; the first is at the bottom. */
export interface ChartSeries {
  name: string
  /** Of `chart.module.css`. */
  color: 'low' | 'medium' | 'high' | 'plain'
  values: number[]
}

/** How a chart draws its series. */
export interface ChartForm {
  interval: 'hour' | 'day' | 'month'
  /** True for areas below a line instead of bars. */
  isArea?: boolean
  /** The steps between two labels of the values; whole numbers without them. */
  valueSteps?: readonly number[]
}
