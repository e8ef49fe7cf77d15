/** A part of each bar; the first is at the bottom. */
export interface ChartSeries {
  name: string
  /** Of `chart.module.css`. */
  color: 'low' | 'medium' | 'high' | 'plain'
  values: number[]
}
