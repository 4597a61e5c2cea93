import type { ReactNode } from 'react'
import { useText } from '../../../shared/i18n/index.ts'
import { Button } from '../../../shared/ui/button.tsx'
import { Grid, Text } from '../../../shared/ui/layout/layout.tsx'
import css from './sign-in-request.module.css'

interface SignInRequestProps {
  /** The name that the requesting terminal or program reports, and its location. */
  from: { readonly terminalName: string; readonly ip: string; readonly place: string }
  /** The kind of requester: a terminal, a program. */
  kind: string
  /** The question to the person. */
  lead: ReactNode
  /** A warning to consider before agreeing. */
  warning: string
  /** The answer being sent; undefined if there is none yet. */
  sent: boolean | undefined
  onAnswer: (ok: boolean) => void
}

/** A request to sign in with this account: the facts about it, and the button that decides. */
export function SignInRequest({ from, kind, lead, warning, sent, onAnswer }: SignInRequestProps) {
  const t = useText().account.qr
  const isSent = sent !== undefined
  return (
    <>
      <Text as="div" size="14/22" pretty>
        {lead}
      </Text>
      <Grid as="dl" padY={12} columns="auto-rest" gap="8 16" className={css.facts} data-subject="">
        <dt>{kind}</dt>
        <dd>{from.terminalName}</dd>
        <dt>{t.address}</dt>
        <dd className="mono">{from.ip}</dd>
        <dt>{t.place}</dt>
        <dd>{from.place || t.unknownPlace}</dd>
      </Grid>
      <Text as="p" tone="soft" pretty>
        {warning}
      </Text>
      <Grid above={16} gap={8} className={css.actions}>
        <Button size="large" disabled={isSent} onClick={() => onAnswer(false)}>
          {t.refuse}
        </Button>
        <Button
          kind="primary"
          size="large"
          busy={sent === true}
          disabled={isSent}
          onClick={() => onAnswer(true)}
        >
          {t.confirm}
        </Button>
      </Grid>
    </>
  )
}
