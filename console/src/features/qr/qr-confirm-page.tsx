import { ApiError, accounts } from '@busbar/contract'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { call } from '../../api/client.ts'
import { useText } from '../../i18n/index.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { PersonFrame } from '../user-info/person-frame.tsx'
import css from './qr-confirm-page.module.css'

/** On the phone that scanned a QR code: who asks to sign in, and the word that decides it (decision 14). */
export function QrConfirmPage(): ReactNode {
  const { token: qrToken } = useParams({ from: '/bare/qr/$token' })
  const { account: t, app } = useText()
  const scan = useQuery({
    queryKey: ['qrLogin', qrToken],
    queryFn: () => call(accounts.scanQrLogin, { qrToken }, { noNotice: true }),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const answer = useMutation({
    mutationFn: (ok: boolean) => call(accounts.confirmQrLogin, { qrToken, ok }),
  })
  const failure = answer.error ?? scan.error

  return (
    <PersonFrame title={t.qr.title}>
      <section className={css.panel} aria-busy={scan.isPending}>
        {answer.isSuccess ? (
          <EmptyState
            icon={answer.variables ? 'check' : 'ban'}
            title={answer.variables ? t.qr.confirmed : t.qr.refused}
          />
        ) : isOver(failure) ? (
          <EmptyState icon="clock" title={t.qr.over} hint={t.qr.overHint} />
        ) : scan.data ? (
          <>
            <p className={css.lead}>{t.qr.lead(scan.data.brand)}</p>
            <dl className={css.facts}>
              <dt>{t.qr.terminal}</dt>
              <dd>{scan.data.terminalName}</dd>
              <dt>{t.qr.address}</dt>
              <dd className="mono">{scan.data.ip}</dd>
              <dt>{t.qr.place}</dt>
              <dd>{scan.data.place || t.qr.unknownPlace}</dd>
            </dl>
            <p className={css.warning}>{t.qr.warning}</p>
            <div className={css.actions}>
              <Button size="large" disabled={answer.isPending} onClick={() => answer.mutate(false)}>
                {t.qr.refuse}
              </Button>
              <Button
                kind="primary"
                size="large"
                busy={answer.isPending && answer.variables}
                disabled={answer.isPending}
                onClick={() => answer.mutate(true)}
              >
                {t.qr.confirm}
              </Button>
            </div>
          </>
        ) : scan.isError ? (
          <EmptyState icon="offline" title={t.loadFailed} hint={t.loadFailedHint}>
            <Button icon="refresh" busy={scan.isFetching} onClick={() => void scan.refetch()}>
              {app.retry}
            </Button>
          </EmptyState>
        ) : (
          <div className={css.waiting}>
            <Skeleton width="80%" />
            <Skeleton width="50%" />
            <Skeleton width="60%" />
          </div>
        )}
      </section>
    </PersonFrame>
  )
}

/** A code that ran out, was used, or never was: the address is no token at all. */
function isOver(error: Error | null): boolean {
  return error instanceof ApiError && (error.is('QR_OVER') || error.http === 400)
}
