import type { Overview } from '../../api/overview.ts'
import { interpolate } from '../../locales/interpolate.ts'
import { useWords } from '../../locales/words.tsx'
import { useFormats } from '../../parts/text/formats.ts'
import { useNow } from '../../parts/text/now.ts'
import { failureText } from '../videos/video/failure-words.ts'

/** Something that needs a person. */
export interface Trouble {
  key: string
  isBad: boolean
  title: string
  text: string
  /** What the receiver of a webhook last responded with. */
  error?: string | number
  /** When it happened, in ISO 8601; null for what holds now. */
  at: string | null
  /** Where it is looked into, below the address of the account. */
  path: string
  action: string
}

/** From when an end of the plan is worth a notice. */
const NOTICE_MS = 14 * 86_400_000

/** What needs a person: first what holds for the account now, then what failed, newest first. */
export function useTroubles(overview: Overview): Trouble[] {
  const failed = useFailedVideos(overview.failed_videos)
  const endpoints = useFailingEndpoints(overview.failing_endpoints)
  const plan = usePlanTroubles(overview.plan)
  const timeOf = ({ at }: Trouble): number => (at === null ? Infinity : Date.parse(at))
  const events = [...endpoints, ...failed].toSorted((one, other) => {
    const [time, otherTime] = [timeOf(one), timeOf(other)]
    return time === otherTime ? 0 : otherTime - time
  })
  return [...plan, ...events]
}

function usePlanTroubles(plan: Overview['plan']): Trouble[] {
  const words = useWords()
  const { percent, relative } = useFormats()
  const now = useNow()
  const { attention: texts } = words.overview
  const about = { at: null, path: 'plan', action: texts.openPlan, text: texts.refused }
  if (plan === null) return [{ ...about, key: 'plan', isBad: true, title: texts.noPlan }]
  const { is_active: isActive, ends_at: endsAt, uses } = plan
  const usedUp = uses
    .filter(({ used, most }) => used >= most)
    .map(({ limit, used, most }) => {
      const share = percent(most === 0 ? 1 : used / most)
      const title = interpolate(words.overview.nearly, { limit: words.limits[limit], share })
      return { ...about, key: limit, isBad: true, title, path: 'usage', action: texts.openUsage }
    })
  if (!isActive) return [{ ...about, key: 'plan', isBad: true, title: texts.planEnded }, ...usedUp]
  if (endsAt === null || Date.parse(endsAt) - now > NOTICE_MS) return usedUp
  const title = interpolate(texts.planEnds, { time: relative(Date.parse(endsAt), now) })
  return [...usedUp, { ...about, key: 'plan', isBad: false, title, text: texts.afterwards }]
}

function useFailedVideos({ data }: Overview['failed_videos']): Trouble[] {
  const words = useWords()
  return data.map(({ id, title, error_code: code, failed_at: at }) => ({
    key: id,
    isBad: true,
    title: title.trim() || words.videos.untitled,
    text: failureText(code ?? '', words),
    at,
    path: `videos/${id}`,
    action: words.overview.attention.openVideo,
  }))
}

function useFailingEndpoints(endpoints: Overview['failing_endpoints']): Trouble[] {
  const { attention: texts } = useWords().overview
  const { number } = useFormats()
  return endpoints.map(({ id, url, failure_count: count, disabled_reason: reason, ...more }) => {
    const last = more.last_error
    return {
      key: String(id),
      isBad: reason !== null,
      title: url,
      text:
        reason === null ? interpolate(texts.failures, { number: number(count) }) : texts.disabled,
      error: last?.response_status ?? last?.error_code,
      at: last?.failed_at ?? null,
      path: `developers/webhooks/${id}`,
      action: texts.openEndpoint,
    }
  })
}
