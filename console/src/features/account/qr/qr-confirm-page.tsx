import { ApiError, accounts } from '@busbar/contract'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { call } from '../../../shared/api/client.ts'
import { useText } from '../../../shared/i18n/index.ts'
import { Button } from '../../../shared/ui/button.tsx'
import { EmptyState } from '../../../shared/ui/empty-state.tsx'
import { Panel, Stack } from '../../../shared/ui/layout/layout.tsx'
import { Skeleton } from '../../../shared/ui/skeleton.tsx'
import { PersonFrame } from '../person-frame.tsx'
import { SignInRequest } from './sign-in-request.tsx'

/** On the phone that scanned a QR code: who asks to sign in, and the word that decides it. */
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
      <Panel pad={16} above={16} aria-busy={scan.isPending}>
        {answer.isSuccess ? (
          <EmptyState
            icon={answer.variables ? 'check' : 'ban'}
            title={answer.variables ? t.qr.confirmed : t.qr.refused}
          />
        ) : isOver(failure) ? (
          <EmptyState icon="clock" title={t.qr.over} hint={t.qr.overHint} />
        ) : scan.data ? (
          <SignInRequest
            from={scan.data}
            kind={t.qr.terminal}
            lead={t.qr.lead(scan.data.brand)}
            warning={t.qr.warning}
            sent={answer.isPending ? answer.variables : undefined}
            onAnswer={answer.mutate}
          />
        ) : scan.isError ? (
          <EmptyState icon="offline" title={t.loadFailed} hint={t.loadFailedHint}>
            <Button icon="refresh" busy={scan.isFetching} onClick={() => void scan.refetch()}>
              {app.retry}
            </Button>
          </EmptyState>
        ) : (
          <Stack gap={14}>
            <Skeleton width="80%" />
            <Skeleton width="50%" />
            <Skeleton width="60%" />
          </Stack>
        )}
      </Panel>
    </PersonFrame>
  )
}

/** A code that has expired, was used, or never existed, or an address without a valid token. */
function isOver(error: Error | null): boolean {
  return error instanceof ApiError && (error.is('QR_OVER') || error.http === 400)
}
