import { useFormats } from './formats.ts'
import { useNow } from './now.ts'

/** How long ago a time was; the exact time, with its zone, is shown on hover. `at` is ISO 8601. */
export function RelativeTime({ at }: { at: string }) {
  const { relative, exact } = useFormats()
  const now = useNow()
  const timeMs = Date.parse(at)
  return (
    <time dateTime={at} title={exact(timeMs)}>
      {/* The clocks of the server and of this computer differ by seconds. */}
      {relative(Math.min(timeMs, now), now)}
    </time>
  )
}
