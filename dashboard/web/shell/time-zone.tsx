import { createContext, use, useCallback, useMemo, useState, type ReactNode } from 'react'
import { readPreference, writePreference } from '../preferences.ts'

/** The zone of this computer, such as `Europe/Berlin`. */
const localZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone

interface TimeZone {
  zone: string
  choose: (zone: string) => void
}

const TimeZoneContext = createContext<TimeZone | null>(null)

/** The zones that can be chosen: that of this computer, UTC, and all others by name. */
export const timeZones = (): string[] => [
  ...new Set([localZone(), 'UTC', ...Intl.supportedValuesOf('timeZone')]),
]

/** The zone of all times of the dashboard, as this browser keeps it. */
export const chosenZone = (): string => {
  const chosen = readPreference('timeZone')
  return chosen !== null && timeZones().includes(chosen) ? chosen : localZone()
}

/** One zone for all times of the dashboard: that of this computer unless another is chosen. */
export function TimeZoneProvider({ children }: { children: ReactNode }) {
  const [zone, setZone] = useState(chosenZone)
  const choose = useCallback((chosen: string) => {
    writePreference('timeZone', chosen)
    setZone(chosen)
  }, [])
  const value = useMemo(() => ({ zone, choose }), [zone, choose])
  return <TimeZoneContext value={value}>{children}</TimeZoneContext>
}

export function useTimeZone(): TimeZone {
  const timeZone = use(TimeZoneContext)
  if (!timeZone) throw new Error('TimeZoneProvider is missing')
  return timeZone
}
