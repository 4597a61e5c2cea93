import { ApiError, machines } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useText } from '../../../shared/i18n/index.ts'
import { Button } from '../../../shared/ui/button.tsx'
import { Dialog } from '../../../shared/ui/dialog.tsx'
import { showToast } from '../../../shared/ui/toast/toast-store.ts'
import { roleQuery } from '../../access/access-queries.ts'
import { limitsOf } from '../../access/may-give.ts'
import { useControl, useGrantAndHand } from '../visit-actions.ts'
import type { LiveVisit } from '../visit-state.ts'

const { limitAuthority } = machines

/** Whether the caller holds a read-write key of a machine, and so may give its control. */
export function useGivesControl(machineId: number): boolean {
  const { data } = useQuery(roleQuery(machineId))
  const isKey = (data?.level ?? limitAuthority.ordinary) >= limitAuthority.bkey
  return isKey && limitsOf(data).mode === undefined
}

/** Gives the controller to a visit; if the visitor may only watch, the key is asked first. */
export function useGiveControl(machineId: number) {
  const t = useText()
  const givesControl = useGivesControl(machineId)
  const control = useControl()
  const grant = useGrantAndHand()
  const [asked, setAsked] = useState<LiveVisit>()

  function give(visit: LiveVisit) {
    control.mutate(
      { visit, action: 'hand' },
      {
        onSuccess: () => showToast(t.visits.asks.given(visit.user)),
        onError: (error) => {
          if (!(error instanceof ApiError && error.is('READ_ONLY'))) return
          if (givesControl) setAsked(visit)
          else showToast(t.visits.asks.readOnly(visit.user), 'info')
        },
      },
    )
  }

  const dialog: ReactNode = asked && (
    <Dialog
      title={t.visits.asks.grantTitle(asked.user)}
      onClose={() => setAsked(undefined)}
      actions={
        <>
          <Button onClick={() => setAsked(undefined)}>{t.app.cancel}</Button>
          <Button
            kind="primary"
            busy={grant.isPending}
            onClick={() => grant.mutate({ visit: asked }, { onSuccess: () => setAsked(undefined) })}
          >
            {t.visits.asks.grantConfirm}
          </Button>
        </>
      }
    >
      <p>{t.visits.asks.grantBody(asked.user)}</p>
    </Dialog>
  )
  return { give, isPending: control.isPending, dialog }
}

/**
 * Control for the caller's own visit: taken if it is free, otherwise requested, or taken by a key after a
 * confirmation.
 */
export function useOwnControl(visit: LiveVisit, holder: string | null) {
  const t = useText()
  const { data: role } = useQuery(roleQuery(visit.machineId))
  const control = useControl()
  const [confirming, setConfirming] = useState(false)
  const isHeld = holder !== null && !visit.controls
  const isWaiting = visit.asks && !visit.controls
  const isKey = (role?.level ?? limitAuthority.ordinary) >= limitAuthority.bkey
  // A visitor who may only watch needs a key's consent, even while the machine is free.
  const asks = role?.readOnly === true || (isHeld && !isKey)

  function take() {
    setConfirming(false)
    control.mutate({ visit, action: 'take' })
  }

  const dialog: ReactNode = confirming && holder !== null && (
    <Dialog
      title={t.visits.takeOver.title(holder)}
      onClose={() => setConfirming(false)}
      actions={
        <>
          <Button onClick={() => setConfirming(false)}>{t.app.cancel}</Button>
          <Button kind="primary" onClick={take}>
            {t.visits.takeOver.confirm}
          </Button>
        </>
      }
    >
      <p>{t.visits.takeOver.body(holder)}</p>
    </Dialog>
  )
  return {
    label: visit.controls
      ? t.visits.bar.release
      : isWaiting
        ? t.visits.bar.withdraw
        : asks
          ? t.visits.bar.ask
          : t.visits.bar.take,
    isWaiting,
    isPending: control.isPending,
    run: () => {
      // Releasing control and withdrawing a request for it are the same call.
      if (visit.controls || isWaiting) control.mutate({ visit, action: 'release' })
      else if (isHeld && !asks) setConfirming(true)
      else take()
    },
    dialog,
  }
}
