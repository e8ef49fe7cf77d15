import type { ReactNode } from 'react'
import layout from '../layout.module.css'

interface Props {
  tone: 'good' | 'early' | 'waiting' | 'bad' | 'none'
  /** Whether the state is about to change. */
  isMoving?: boolean
  children: ReactNode
}

/** A state as a word, with a dot in its colour. */
export const Dot = ({ tone, isMoving = false, children }: Props) => (
  <span className={layout.dot} data-tone={tone} data-moving={isMoving}>
    {children}
  </span>
)
