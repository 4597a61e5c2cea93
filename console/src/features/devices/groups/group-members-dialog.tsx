import { machines } from '@busbar/contract'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import type { Machine } from '../../../entities/machine/machine.ts'
import { filterMachines } from '../../../entities/machine/machine-order.ts'
import { machineListQuery } from '../../../entities/machine/machine-queries.ts'
import { call } from '../../../shared/api/client.ts'
import { formatNumber, useLang, useText } from '../../../shared/i18n/index.ts'
import { Button } from '../../../shared/ui/button.tsx'
import { Dialog } from '../../../shared/ui/dialog.tsx'
import form from '../../../shared/ui/dialogs/form.module.css'
import { Icon } from '../../../shared/ui/icon.tsx'
import { SearchField } from '../../../shared/ui/search-field.tsx'
import { showToast } from '../../../shared/ui/toast/toast-store.ts'
import { explainGroupFailure, refreshGroups } from './group-queries.ts'
import css from './groups-dialog.module.css'

/** Drawn at once; whoever looks for one of thousands searches. */
const rowsMax = 100
const none: readonly Machine[] = []

/** Which machines of one's list are in a group: one, many, or all that a search finds. */
export function GroupMembersDialog({ group, onClose }: { group: machines.UserGroup; onClose: () => void }) {
  const t = useText().machineEdit.groups
  const lang = useLang()
  const client = useQueryClient()
  const all = useQuery(machineListQuery(lang)).data?.list ?? none
  const [query, setQuery] = useState('')
  // What was in it when the dialog opened comes first; a press does not move what one is looking at.
  const [first] = useState(
    () => new Set(all.filter((machine) => isIn(machine, group.id)).map((machine) => machine.id)),
  )
  const [chosen, setChosen] = useState<ReadonlySet<number>>(first)
  const found = useMemo(() => {
    const matching = filterMachines(all, { query, state: null, groupId: null })
    return matching.toSorted((a, b) => Number(first.has(b.id)) - Number(first.has(a.id)))
  }, [all, query, first])

  const { mutate, isPending, error } = useMutation({
    mutationFn: () => {
      // What left the list meanwhile is in none of its groups.
      const machineIds = all.map((machine) => machine.id).filter((id) => chosen.has(id))
      return call(machines.updateUserGroup, { id: group.id, machineIds })
    },
    onSuccess: async () => {
      showToast(t.membersSaved(group.name, formatNumber(chosen.size)))
      await refreshGroups(client)
      onClose()
    },
  })

  function choose(ids: readonly number[], isChosen: boolean) {
    const next = new Set(chosen)
    for (const id of ids) {
      if (isChosen) next.add(id)
      else next.delete(id)
    }
    setChosen(next)
  }
  const isAll = found.length > 0 && found.every((machine) => chosen.has(machine.id))

  return (
    <Dialog
      title={t.members(group.name)}
      width={520}
      onClose={onClose}
      actions={
        <>
          <span className={css.foot} role="status">
            {t.membersChosen(formatNumber(chosen.size))}
          </span>
          <Button onClick={onClose}>{t.back}</Button>
          <Button kind="primary" busy={isPending} onClick={() => mutate()}>
            {t.save}
          </Button>
        </>
      }
    >
      <div className={css.column}>
        <SearchField label={t.membersSearch} value={query} onChange={setQuery} />
        <label className={css.choice}>
          <input
            type="checkbox"
            checked={isAll}
            disabled={found.length === 0}
            onChange={({ target }) =>
              choose(
                found.map((machine) => machine.id),
                target.checked,
              )
            }
          />
          {t.membersAll(formatNumber(found.length))}
        </label>
        {/* biome-ignore lint/a11y/useSemanticElements: a fieldset cannot scroll */}
        <div role="group" aria-label={t.membersLabel} className={css.choices}>
          {found.slice(0, rowsMax).map((machine) => (
            <label key={machine.id} className={css.choice}>
              <input
                type="checkbox"
                checked={chosen.has(machine.id)}
                onChange={({ target }) => choose([machine.id], target.checked)}
              />
              <span className={css.lines}>
                <span className="cut">{machine.name}</span>
                <span className={`${css.minor} mono`}>{machine.code}</span>
              </span>
            </label>
          ))}
          {found.length === 0 && <p className={css.note}>{t.membersNone}</p>}
          {found.length > rowsMax && (
            <p className={css.note}>{t.membersFurther(formatNumber(found.length - rowsMax))}</p>
          )}
        </div>
        {error && (
          <p role="alert" className={form.error}>
            <Icon name="warning" size={14} />
            {explainGroupFailure(error, t, lang)}
          </p>
        )}
      </div>
    </Dialog>
  )
}

const isIn = (machine: Machine, groupId: number) => machine.groups.some((group) => group.id === groupId)
