import type { FunctionComponent, ReactNode } from 'react'
import type { IconProps } from '../icons/icon.tsx'
import classes from './empty-sample.module.css'

export type SampleKind = 'rows' | 'code' | 'chart' | 'people'

interface Props {
  kind: SampleKind
  icon: FunctionComponent<IconProps>
}

/** Each line of a sample is so long, in parts of twelve. */
const LENGTHS = [7, 5, 6] as const

/** A drawing of what an empty page will show. It says nothing that the text beside it does not. */
export const EmptySample = ({ kind, icon: Icon }: Props) => (
  <div className={classes.sample} data-kind={kind} aria-hidden>
    {SAMPLES[kind](<Icon size={16} stroke={1.75} />)}
  </div>
)

const SAMPLES: Record<SampleKind, (icon: ReactNode) => ReactNode> = {
  rows: (icon) => LENGTHS.map((length) => <Row key={length} mark={icon} length={length} />),
  people: () => LENGTHS.map((length) => <Row key={length} length={length} />),
  code: () => (
    <div className={classes.code}>
      <Line length={4} tone="keyword" />
      <Line length={8} tone="name" />
      <Line length={6} tone="text" />
      <Line length={3} tone="keyword" />
    </div>
  ),
  chart: () => (
    <div className={classes.chart}>
      {[3, 5, 4, 7, 6, 9, 8, 11].map((height) => (
        <span key={height} data-height={height} />
      ))}
    </div>
  ),
}

const Row = ({ mark, length }: { mark?: ReactNode; length: number }) => (
  <div className={classes.row}>
    <span className={classes.mark}>{mark}</span>
    <Line length={length} />
    <span className={classes.state} />
  </div>
)

const Line = ({ length, tone }: { length: number; tone?: string }) => (
  <span className={classes.line} data-length={length} data-tone={tone} />
)
