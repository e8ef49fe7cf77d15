import type { RecordStore } from '../../../api/record-store.ts'
import { Section } from '../../../parts/section.tsx'
import { Dot } from '../../../parts/text/dot.tsx'
import { CopiedFact, Fact, Facts } from '../../../parts/text/facts.tsx'
import { useFormats } from '../../../parts/text/formats.ts'
import { RelativeTime } from '../../../parts/text/relative-time.tsx'
import { useDeveloperWords } from '../words.ts'

/** What is known of a record store. */
export function StoreFacts({ store }: { store: RecordStore }) {
  const { recordStore: words, endpoints } = useDeveloperWords()
  const { number } = useFormats()
  const { is_active: isActive, last_success_at: success, next_attempt_at: next } = store
  const tone = next === null ? 'good' : 'bad'
  return (
    <Section title={endpoints.facts}>
      <Facts>
        <Fact
          name={endpoints.health}
          value={
            <Dot tone={isActive ? tone : 'none'}>
              {isActive ? (next === null ? endpoints.active : endpoints.failing) : endpoints.off}
            </Dot>
          }
        />
        <CopiedFact name={words.url} value={store.url} />
        <Fact name={words.username} value={<bdi dir="ltr">{store.username}</bdi>} />
        <Fact name={words.homePage} value={<bdi dir="ltr">{store.home_page}</bdi>} />
        <Fact name={words.waiting} value={number(store.waiting)} />
        <Fact name={words.delivered} value={number(store.delivered)} />
        <Fact name={words.refused} value={number(store.refused)} />
        <Fact name={words.dropped} value={number(store.dropped)} />
        <Fact
          name={words.lastSuccess}
          value={success === null ? '–' : <RelativeTime at={success} />}
        />
        <Fact name={endpoints.changed} value={<RelativeTime at={store.updated_at} />} />
      </Facts>
    </Section>
  )
}
