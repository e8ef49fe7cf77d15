import { Button, Skeleton, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { createLazyRoute, getRouteApi } from '@tanstack/react-router'
import { useState, type FormEvent } from 'react'
import { decodeFailureCode } from '../../../../../domain/playback-reports/failure-code.ts'
import { playbackReportQuery } from '../../../api/security.ts'
import { IconSearchOff } from '../../../icons/icons.tsx'
import { EmptyState } from '../../../parts/empty-state.tsx'
import { ErrorState } from '../../../parts/error-state.tsx'
import layout from '../../../parts/layout.module.css'
import { PageHeader } from '../../../parts/page-header.tsx'
import classes from '../security.module.css'
import { ReportView } from './report-view.tsx'
import { useWhyWords } from './words.ts'

const route = getRouteApi('/accounts/$account/security/why')

/** Says why a video did not play, by the code that the viewer reads out. The address carries the code. */
function WhyPage() {
  const words = useWhyWords()
  const { code: inAddress = '' } = route.useSearch()
  const code = decodeFailureCode(inAddress)?.code ?? null
  return (
    <>
      <PageHeader title={words.title} />
      <p className={layout.intro}>{words.intro}</p>
      <CodeForm key={inAddress} inAddress={inAddress} />
      <div aria-live="polite">
        {code !== null && <Found code={code} />}
        {inAddress === '' && (
          <EmptyState icon={IconSearchOff} title={words.emptyTitle} text={words.emptyText} />
        )}
      </div>
    </>
  )
}

function CodeForm({ inAddress }: { inAddress: string }) {
  const words = useWhyWords()
  const navigate = route.useNavigate()
  const [typed, setTyped] = useState(inAddress)
  const isWrong = inAddress !== '' && decodeFailureCode(inAddress) === null
  const [isRefused, setIsRefused] = useState(isWrong)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (typed.trim() === '') return
    const known = decodeFailureCode(typed)
    setIsRefused(known === null)
    if (known) void navigate({ search: { code: known.code } })
  }
  return (
    <form onSubmit={submit} className={classes.codeForm} noValidate>
      <TextInput
        label={words.code}
        description={words.codeHint}
        placeholder="1C3J-1EM1-EZRT"
        value={typed}
        error={isRefused ? words.invalid : undefined}
        onChange={({ currentTarget }) => {
          setTyped(currentTarget.value)
          setIsRefused(false)
        }}
        classNames={{ input: classes.codeInput ?? '' }}
        dir="ltr"
        spellCheck={false}
        autoComplete="off"
        autoCapitalize="characters"
        maxLength={64}
      />
      <Button type="submit">{words.submit}</Button>
    </form>
  )
}

function Found({ code }: { code: string }) {
  const { account } = route.useParams()
  const { data, error, refetch } = useQuery(playbackReportQuery(account, code))
  if (data) return <ReportView account={account} report={data} />
  if (error) return <ErrorState error={error} retry={() => void refetch()} />
  return <Skeleton height={240} radius="md" aria-hidden />
}

export const whyRoute = createLazyRoute('/accounts/$account/security/why')({
  component: WhyPage,
})
