import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { healthQuery, isServerAway, isSignedOut, otherMember } from '../api/connection.ts'
import { meQuery } from '../api/me.ts'
import { IconCircleCheck, IconCloudOff, IconLogin2 } from '../icons/icons.tsx'
import { interpolate } from '../locales/interpolate.ts'
import { useWords } from '../locales/words.tsx'
import { SignInLink } from '../parts/links/sign-in-link.tsx'
import { dismiss, successes } from '../parts/notify.ts'
import classes from './shell.module.css'

/**
 * Says what has been done, that the server is away, or that the member is signed out, while the page stays
 * as it is.
 */
export function Notices({ account }: { account: string }) {
  const isAway = isServerAway.use()
  const isOut = isSignedOut.use()
  const other = otherMember.use()
  const done = successes.use()
  return (
    <output className={classes.notices}>
      {done.map(({ id, text, action }) => (
        <Notice key={id} icon={<IconCircleCheck size={18} className={classes.done} />}>
          {text}
          {action && (
            <button
              type="button"
              className={classes.noticeAction}
              onClick={() => {
                dismiss(id)
                action.run()
              }}
            >
              {action.label}
            </button>
          )}
        </Notice>
      ))}
      {isAway && <Away />}
      {(isOut || other !== null) && !isAway && <SignedOut account={account} other={other} />}
    </output>
  )
}

function Away() {
  const { problems } = useWords()
  useQuery(healthQuery)
  return (
    <Notice icon={<IconCloudOff size={18} />} title={problems.unreachable}>
      {problems.unreachableAdvice}
    </Notice>
  )
}

interface SignedOutProps {
  account: string
  /** The address of the member who is signed in instead; null if none is. */
  other: string | null
}

function SignedOut({ account, other }: SignedOutProps) {
  const { problems } = useWords()
  // Asks when the member comes back from the tab of the sign-in.
  useQuery({ ...meQuery(account), staleTime: 0, refetchOnMount: false })
  const title =
    other === null ? problems.signedOut : interpolate(problems.otherMember, { email: other })
  return (
    <Notice icon={<IconLogin2 size={18} />} title={title}>
      {problems.signedOutAdvice} <SignInLink />
    </Notice>
  )
}

interface NoticeProps {
  icon: ReactNode
  title?: string
  children: ReactNode
}

const Notice = ({ icon, title, children }: NoticeProps) => (
  <div className={classes.notice}>
    {icon}
    <div>
      {title !== undefined && <strong>{title}</strong>} {children}
    </div>
  </div>
)
