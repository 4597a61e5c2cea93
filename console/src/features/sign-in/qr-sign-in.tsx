import { accounts } from '@busbar/contract'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useSecondsUntil } from '../../entities/account/use-seconds.ts'
import { call } from '../../shared/api/client.ts'
import { useText } from '../../shared/i18n/language.ts'
import { terminalTypeOfBrowser } from '../../shared/session/mobile-url.ts'
import { describeTerminal, getTerminalId } from '../../shared/session/session.ts'
import { Button, IconButton } from '../../shared/ui/button.tsx'
import { copyText } from '../../shared/ui/copy-text.ts'
import { Icon } from '../../shared/ui/icon.tsx'
import { QrPicture } from '../../shared/ui/qr/qr-picture.tsx'
import { readQrAddress } from './qr-address.ts'
import css from './qr-sign-in.module.css'
import { watchQr } from './qr-watch.ts'

type View =
  | { readonly kind: 'loading' | 'failed' | 'cancelled' | 'expired' | 'entering' }
  | { readonly kind: 'waiting'; readonly code: Code }
  | { readonly kind: 'scanned'; readonly code: Code; readonly name: string }

interface Code {
  readonly qrToken: string
  readonly href: string
  /** True for an address of this computer alone, which a phone cannot reach. */
  readonly isOnlyHere: boolean
  readonly expiresAt: number
}

/** Signs in by a phone that is signed in already. */
export function QrSignIn({ onDone }: { onDone: () => Promise<void> }) {
  const t = useText().joining.qr
  const [view, setView] = useState<View>({ kind: 'loading' })
  const [round, setRound] = useState(0)
  const code = 'code' in view ? view.code : undefined
  const isIn = useRef(false)

  // biome-ignore lint/correctness/useExhaustiveDependencies: another round is another code
  useEffect(() => {
    let isWanted = true
    setView({ kind: 'loading' })
    createCode().then(
      (made) => isWanted && setView({ kind: 'waiting', code: made }),
      () => isWanted && setView({ kind: 'failed' }),
    )
    return () => {
      isWanted = false
    }
  }, [round])

  const check = useEffectEvent(async () => {
    if (!code) return
    const next = await checkCode(code)
    // Two answers may arrive together, and a code is redeemed once.
    if (!next || isIn.current) return
    setView(next)
    if (next.kind !== 'entering') return
    isIn.current = true
    await onDone()
  })
  const qrToken = code?.qrToken
  useEffect(() => (qrToken ? watchQr(qrToken, () => void check()) : undefined), [qrToken])
  const expiresAt = code?.expiresAt
  useEffect(() => {
    if (expiresAt === undefined) return
    const timer = setTimeout(() => setView({ kind: 'expired' }), expiresAt - Date.now())
    return () => clearTimeout(timer)
  }, [expiresAt])

  return (
    <div className={css.pane} aria-live="polite">
      {view.kind === 'waiting' ? (
        <>
          <QrPicture text={view.code.href} label={t.picture} size={view.code.isOnlyHere ? 148 : 200} />
          {view.code.isOnlyHere ? <OnlyHere href={view.code.href} /> : <p>{t.lead}</p>}
          <Left until={view.code.expiresAt} />
        </>
      ) : (
        <Told view={view} onAgain={() => setRound(round + 1)} />
      )}
    </div>
  )
}

async function createCode(): Promise<Code> {
  const { name, os } = describeTerminal()
  const { qrToken, qrUrl, expireIn } = await call(
    accounts.createQrToken,
    { terminalUUID: getTerminalId(), terminalName: name, terminalOS: os },
    { silent: true },
  )
  return { qrToken, ...readQrAddress(qrUrl, location.href), expiresAt: Date.now() + expireIn * 1_000 }
}

/** The state of a code; undefined if it is unknown at present. A confirmed one has set the session's cookies. */
async function checkCode(code: Code): Promise<View | undefined> {
  const { waiting, scanned, confirmed, cancelled } = accounts.qrStates
  try {
    const { state, name = '' } = await call(
      accounts.checkQrLogin,
      {
        qrToken: code.qrToken,
        terminalUUID: getTerminalId(),
        terminalType: terminalTypeOfBrowser(navigator, location.search),
      },
      { silent: true },
    )
    if (state === waiting) return { kind: 'waiting', code }
    if (state === scanned) return { kind: 'scanned', code, name }
    return { kind: state === confirmed ? 'entering' : state === cancelled ? 'cancelled' : 'expired' }
  } catch {
    return undefined
  }
}

/** Explains that a phone cannot reach the code, and gives its link for another browser of this computer. */
function OnlyHere({ href }: { href: string }) {
  const { joining, app } = useText()
  const t = joining.qr

  return (
    <>
      <p className={css.title}>{t.onlyHere}</p>
      <p>{t.onlyHereHint}</p>
      <div className={css.link}>
        <a href={href} target="_blank" rel="noopener" className="cut mono">
          {href}
        </a>
        <IconButton icon="copy" label={app.copyCode} onClick={() => void copyText(href)} />
      </div>
    </>
  )
}

function Left({ until }: { until: number }) {
  const t = useText().joining.qr
  // Shown once, not every second.
  return (
    <p aria-live="off" className={`${css.left} numbers`}>
      {t.left(useSecondsUntil(until))}
    </p>
  )
}

interface ToldProps {
  view: Exclude<View, { kind: 'waiting' }>
  onAgain: () => void
}

function Told({ view, onAgain }: ToldProps) {
  const t = useText().joining.qr
  if (view.kind === 'loading') return <div className={css.blank} />
  if (view.kind === 'entering') return <Words icon="check" title={t.entering} />
  if (view.kind === 'scanned') return <Words icon="phone" title={t.scanned(view.name)} hint={t.scannedHint} />
  return (
    <>
      <Words icon={view.kind === 'failed' ? 'offline' : 'clock'} title={t[view.kind]} />
      <Button icon="refresh" onClick={onAgain}>
        {t.again}
      </Button>
    </>
  )
}

interface WordsProps {
  icon: 'check' | 'clock' | 'offline' | 'phone'
  title: string
  hint?: string
}

function Words({ icon, title, hint }: WordsProps) {
  return (
    <>
      <span className={css.mark}>
        <Icon name={icon} size={22} />
      </span>
      <p className={css.title}>{title}</p>
      {hint && <p className={css.hint}>{hint}</p>}
    </>
  )
}
