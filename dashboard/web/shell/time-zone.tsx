import { createContext, use, useCallback, useMemo, useState } from 'react'
import type { ReactNode } from 'react'
import { readPreference, writePreference } from '../preferences.ts'

/** The zone of this computer, such as `Europe/Berlin`. */
export const LOCAL_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone

interface TimeZone {
  zone: string
  choose: (zone: string) => void
}

const TimeZoneContext = createContext<TimeZone>({ zone: LOCAL_ZONE, choose: () => {} })

/** One zone for all times of the dashboard: that of this computer, or UTC. */
export function TimeZoneProvider({ children }: { children: ReactNode }) {
  const [zone, setZone] = useState(() =>
    readPreference('timeZone') === 'UTC' ? 'UTC' : LOCAL_ZONE,
  )
  const choose = useCallback((chosen: string) => {
    writePreference('timeZone', chosen)
    setZone(chosen)
  }, [])
  const value = useMemo(() => ({ zone, choose }), [zone, choose])
  return <TimeZoneContext value={value}>{children}</TimeZoneContext>
}

export const useTimeZone = (): TimeZone => use(TimeZoneContext)
