import { ApiError, accounts } from '@busbar/contract'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { type FormEvent, type ReactNode, useState } from 'react'
import { call } from '../../../shared/api/client.ts'
import { useText } from '../../../shared/i18n/index.ts'
import { Button } from '../../../shared/ui/button.tsx'
import { EmptyState } from '../../../shared/ui/empty-state.tsx'
import { TextField } from '../../../shared/ui/field.tsx'
import { Panel, Stack, Text } from '../../../shared/ui/layout/layout.tsx'
import { Skeleton } from '../../../shared/ui/skeleton.tsx'
import { PersonFrame } from '../person-frame.tsx'
import { SignInRequest } from '../qr/sign-in-request.tsx'
import css from './device-code-page.module.css'
import { useDeviceCodeText } from './device-code-text.ts'
import { parseUserCode } from './user-code.ts'

/** Signs in a program that shows a code (RFC 8628): the person types the code, sees who is asking, and decides. */
export function DeviceCodePage(): ReactNode {
  const { code: given = '' } = useSearch({ from: '/bare/deviceCode' })
  const t = useDeviceCodeText()
  const code = parseUserCode(given)
  return (
    <PersonFrame title={t.title} lead={t.lead}>
      <Panel pad={16} above={16}>
        {code ? <Request key={code} code={code} /> : <CodeForm given={given} />}
      </Panel>
    </PersonFrame>
  )
}

function CodeForm({ given }: { given: string }) {
  const t = useDeviceCodeText()
  const navigate = useNavigate()
  const [typed, setTyped] = useState(given)
  const [isWrong, setWrong] = useState(given !== '')

  function submit(event: FormEvent) {
    event.preventDefault()
    const code = parseUserCode(typed)
    if (code) void navigate({ to: '/deviceCode', search: { code } })
    else setWrong(true)
  }

  return (
    <form className={css.form} noValidate onSubmit={submit}>
      <TextField
        label={t.code}
        value={typed}
        autoFocus
        autoComplete="one-time-code"
        autoCapitalize="characters"
        spellCheck={false}
        maxLength={16}
        placeholder="XXXX-XXXX"
        className={`${css.field} mono`}
        error={isWrong ? t.form : undefined}
        onChange={(text) => {
          setTyped(text)
          setWrong(false)
        }}
      />
      <Button kind="primary" size="large" type="submit">
        {t.next}
      </Button>
    </form>
  )
}

function Request({ code: userCode }: { code: string }) {
  const t = useDeviceCodeText()
  const { account, app } = useText()
  const scan = useQuery({
    queryKey: ['deviceCode', userCode],
    queryFn: () => call(accounts.scanDeviceCode, { userCode }, { noNotice: true }),
    staleTime: Number.POSITIVE_INFINITY,
    // Opening a code again asks again, even on the same page.
    gcTime: 0,
  })
  const answer = useMutation({
    mutationFn: (ok: boolean) => call(accounts.confirmDeviceCode, { userCode, ok }, { noNotice: true }),
  })
  const failure = answer.error ?? scan.error

  if (answer.isSuccess && answer.variables)
    return <EmptyState icon="check" title={t.confirmed} hint={t.confirmedHint} />
  if (answer.isSuccess) return <EmptyState icon="ban" title={t.refused} />
  if (failure instanceof ApiError && failure.is('DEVICE_CODE_OVER')) {
    return (
      <EmptyState icon="clock" title={t.over} hint={t.overHint}>
        <Another />
      </EmptyState>
    )
  }
  if (failure) {
    const isTooMany = failure instanceof ApiError && failure.http === 429
    const retry = answer.error ? () => answer.reset() : () => void scan.refetch()
    return (
      <EmptyState
        icon={isTooMany ? 'clock' : 'offline'}
        title={isTooMany ? t.tooMany : account.loadFailed}
        hint={isTooMany ? t.tooManyHint : account.loadFailedHint}
      >
        <Button icon="refresh" busy={scan.isFetching} onClick={retry}>
          {app.retry}
        </Button>
      </EmptyState>
    )
  }
  if (!scan.data) {
    return (
      <Stack gap={14} aria-busy="true">
        <Skeleton width="80%" />
        <Skeleton width="50%" />
        <Skeleton width="60%" />
      </Stack>
    )
  }
  const program = scan.data.program && t.programs[scan.data.program]
  return (
    <>
      <SignInRequest
        from={scan.data}
        kind={program ? program.name : t.program}
        lead={
          <>
            {program ? program.asks : t.asks}
            <Text as="strong" above={10} size="21/28" className={`${css.code} mono`}>
              {userCode}
            </Text>
          </>
        }
        warning={program ? program.warning : t.warning}
        sent={answer.isPending ? answer.variables : undefined}
        onAnswer={answer.mutate}
      />
      <Text as="p" above={16} to="center">
        <Another />
      </Text>
    </>
  )
}

function Another() {
  return (
    <Link to="/deviceCode" search={{}}>
      {useDeviceCodeText().another}
    </Link>
  )
}
