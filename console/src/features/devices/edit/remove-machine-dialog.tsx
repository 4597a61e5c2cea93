import { ApiError, machines } from '@busbar/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { refreshList, takeRow } from '../../../entities/machine/list-changes.ts'
import type { Machine } from '../../../entities/machine/machine.ts'
import { call } from '../../../shared/api/client.ts'
import { refusalWords } from '../../../shared/api/refusal-words.ts'
import { useLang, useText } from '../../../shared/i18n/index.ts'
import { Button } from '../../../shared/ui/button.tsx'
import { Dialog } from '../../../shared/ui/dialog.tsx'
import form from '../../../shared/ui/dialogs/form.module.css'
import { Icon } from '../../../shared/ui/icon.tsx'
import { Stack, Text } from '../../../shared/ui/layout/layout.tsx'
import { showToast } from '../../../shared/ui/toast/toast-store.ts'
import { openedAct } from '../machine-acts.ts'

interface RemoveMachineDialogProps {
  machine: Machine
  onClose: () => void
  onRemoved: (machineId: number) => void
}

/** The device is out of the list already, as wanted. */
const countsAsRemoved = (error: unknown) =>
  error instanceof ApiError && (error.is('04010307') || error.is('040103010'))

/**
 * Removes a machine from the personal list and names the losses; an Akey of a shared machine is shown the way
 * out.
 */
export function RemoveMachineDialog({ machine, onClose, onRemoved }: RemoveMachineDialogProps) {
  const { app, machineEdit } = useText()
  const t = machineEdit.remove
  const lang = useLang()
  const client = useQueryClient()
  const navigate = useNavigate()
  const machineId = machine.id
  const isAkey = machine.level === machines.limitAuthority.akey

  const { mutate, isPending, error } = useMutation({
    mutationFn: async () => {
      const putBack = takeRow(client, machineId)
      try {
        await call(machines.removeMachine, { delMachineID: machineId, isAkey })
      } catch (failure) {
        if (countsAsRemoved(failure)) return
        putBack()
        throw failure
      }
    },
    onSuccess: () => {
      showToast(t.done(machine.name))
      onClose()
      onRemoved(machineId)
    },
    onSettled: () => refreshList(client),
  })
  const isHeld = error instanceof ApiError && error.is('04010301')

  function explain(): string {
    if (isHeld) return t.held
    return (error instanceof ApiError && error.http === 200 && refusalWords(error, lang)) || t.failed
  }

  const wayOut = (
    <>
      <Button onClick={() => void navigate({ to: '/administrateCenter', search: { machineId } })}>
        {t.release}
      </Button>
      <Button kind="primary" icon="transfer" onClick={() => openedAct.set({ kind: 'transfer', machine })}>
        {t.transfer}
      </Button>
    </>
  )
  return (
    <Dialog
      title={t.title(machine.name)}
      onClose={onClose}
      actions={
        isHeld ? (
          wayOut
        ) : (
          <>
            <Button onClick={onClose}>{app.cancel}</Button>
            <Button kind="danger" busy={isPending} onClick={() => mutate()}>
              {isAkey ? t.actionAkey : t.action}
            </Button>
          </>
        )
      }
    >
      <Stack gap={10}>
        <Text as="p" pretty>
          {t.bodies[machine.level]}
        </Text>
        {machine.groups.length > 0 && (
          <Text as="p" pretty>
            {t.groups}
          </Text>
        )}
        {error && (
          <p role="alert" className={form.error}>
            <Icon name="warning" size={14} />
            {explain()}
          </p>
        )}
      </Stack>
    </Dialog>
  )
}
