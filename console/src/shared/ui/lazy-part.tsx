import { type ComponentType, type ReactNode, useEffect, useState } from 'react'
import { onReturn, probeNow, useReach } from '../api/reachability.ts'
import { createStore, type Store, useStore } from '../api/store.ts'
import { useText } from '../i18n/language.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { EmptyState } from './empty-state.tsx'

/** A component that is loaded when it is first drawn, or before that by `preload`, which never rejects. */
export type LazyPart<Props> = ((props: Props) => ReactNode) & { preload(): Promise<void> }

/**
 * The place of the message that a part could not be loaded: in the part's place, in a dialog if the part is
 * one, or nowhere if its place already says enough.
 */
type Place = 'inline' | 'dialog' | 'nowhere'

interface Loading<Props> {
  readonly component?: ComponentType<Props>
  readonly failed: boolean
}

interface PartSource<Props> {
  readonly state: Store<Loading<Props>>
  preload(): Promise<void>
}

/**
 * A part of the console that is loaded from a separate file. If that fails, only this part says so, and why:
 * the platform is away (it is loaded once that is back) or has another version (the page has to be loaded
 * anew).
 */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  place: Place = 'inline',
): LazyPart<Props> {
  const source = openSource(load)
  return Object.assign((props: Props) => <Part source={source} place={place} props={props} />, {
    preload: source.preload,
  })
}

function openSource<Props>(load: () => Promise<ComponentType<Props>>): PartSource<Props> {
  const state = createStore<Loading<Props>>({ failed: false })
  let loading: Promise<void> | undefined
  return {
    state,
    preload() {
      if (state.get().component) return Promise.resolve()
      loading ??= load()
        .then(
          (component) => state.set({ component, failed: false }),
          () => state.set({ failed: true }),
        )
        .finally(() => {
          loading = undefined
        })
      return loading
    },
  }
}

interface PartProps<Props> {
  source: PartSource<Props>
  place: Place
  props: Props
}

function Part<Props extends object>({ source, place, props }: PartProps<Props>) {
  const { component: Component, failed } = useStore(source.state)
  useEffect(() => {
    void source.preload()
  }, [source])
  if (Component) return <Component {...props} />
  if (!failed) return null
  const onClose = 'onClose' in props ? (props.onClose as () => void) : undefined
  return <PartFailed place={place} onClose={onClose} onRetry={source.preload} />
}

interface PartFailedProps {
  place?: Place
  onClose?: (() => void) | undefined
  /** Called when the platform is back. */
  onRetry: () => void
}

/** Why a part is missing, and the remedy. */
export function PartFailed({ place = 'inline', onClose, onRetry }: PartFailedProps) {
  const { app } = useText()
  const t = app.part
  const isGone = useReach() === 'gone'
  const [isAsked, setAsked] = useState(false)
  useEffect(() => {
    void probeNow().then(() => setAsked(true))
    return onReturn(onRetry)
  }, [onRetry])
  if (!isAsked || place === 'nowhere') return null
  const title = isGone ? t.offline : t.outdated
  const hint = isGone ? t.offlineHint : t.outdatedHint
  const button = isGone ? (
    <Button icon="refresh" onClick={() => void probeNow()}>
      {app.retry}
    </Button>
  ) : (
    <Button kind="primary" icon="refresh" onClick={() => location.reload()}>
      {t.reload}
    </Button>
  )
  if (place === 'dialog') {
    return (
      <Dialog title={title} width={400} onClose={onClose} actions={button}>
        <p>{hint}</p>
      </Dialog>
    )
  }
  return (
    <div role="alert">
      <EmptyState icon={isGone ? 'offline' : 'refresh'} title={title} hint={hint}>
        {onClose && <Button onClick={onClose}>{app.close}</Button>}
        {button}
      </EmptyState>
    </div>
  )
}
