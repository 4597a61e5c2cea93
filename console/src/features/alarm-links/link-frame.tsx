import type { ReactNode } from 'react'
import { FailureNote } from '../../entities/account/failure-note.tsx'
import { StepFrame } from '../../entities/account/step-frame.tsx'
import { toAddress } from '../../shared/session/address.ts'
import { Button } from '../../shared/ui/button.tsx'
import { Icon } from '../../shared/ui/icon.tsx'
import { Text } from '../../shared/ui/layout/layout.tsx'
import { LoginLayout } from '../../shared/ui/outside/login-layout.tsx'
import { useAlarmLinksText } from './alarm-links-text.ts'
import css from './link-frame.module.css'
import type { Link } from './use-link.ts'

interface LinkFrameProps {
  link: Link<unknown>
  title: string
  lead?: string
  isDone: boolean
  /** The button's words; without them there is no button. */
  submit: string | undefined
  /** Tells the effect of the button, beside it. */
  hint?: string
  children?: ReactNode
}

/** A page of a link in a mail, in each of its states. */
export function LinkFrame({ link, title, lead, isDone, submit, hint, children }: LinkFrameProps) {
  const t = useAlarmLinksText()
  const { state } = link
  return (
    <LoginLayout isLong={state === 'shown'}>
      {state === 'loading' && (
        <Text as="p" above={12} tone="quiet" leading={20} breaks pretty role="status">
          {t.loading}
        </Text>
      )}
      {state === 'unknown' && (
        <StepFrame title={t.unknownTitle} lead={t.unknownBody}>
          <a className={css.away} href={toAddress('/login')}>
            {t.toSignIn}
          </a>
        </StepFrame>
      )}
      {state === 'failed' && (
        <StepFrame title={t.failedTitle} lead={t.failedBody}>
          <Button size="large" icon="refresh" className={css.submit} onClick={link.retry}>
            {t.retry}
          </Button>
        </StepFrame>
      )}
      {state === 'shown' && (
        <>
          {isDone && (
            <span className={css.done}>
              <Icon name="check" size={22} />
            </span>
          )}
          <div role="status" className={css.words}>
            <StepFrame title={title} lead={lead}>
              {null}
            </StepFrame>
          </div>
          {children}
          {submit && (
            <>
              <FailureNote text={link.refusal} />
              <Button
                kind="primary"
                size="large"
                busy={link.isBusy}
                className={css.submit}
                onClick={() => void link.press()}
              >
                {submit}
              </Button>
            </>
          )}
          {hint && (
            <Text as="p" above={12} tone="quiet" leading={20} breaks pretty>
              {hint}
            </Text>
          )}
        </>
      )}
    </LoginLayout>
  )
}
