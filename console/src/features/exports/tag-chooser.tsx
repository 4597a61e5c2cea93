import { machines as contract, exportLimits } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import {
  enterpriseMachinesQuery,
  machineListQuery,
  machineTagsQuery,
} from '../../entities/machine/machine-queries.ts'
import { useLang } from '../../shared/i18n/index.ts'
import type { PageSpace } from '../../shared/session/page-space.ts'
import { Button, IconButton } from '../../shared/ui/button.tsx'
import { ComboBox } from '../../shared/ui/combo-box/combo-box.tsx'
import { chosenTagsQuery } from './export-queries.ts'
import css from './exports.module.css'
import { useExportsText } from './exports-text.ts'

interface TagChooserProps {
  space: PageSpace
  chosen: readonly number[]
  onChoose: (tagIds: readonly number[]) => void
}

const { exportTagsMax } = exportLimits

/** Chooses variables of several devices: of one device at a time. */
export function TagChooser({ space, chosen, onChoose }: TagChooserProps) {
  const t = useExportsText().form
  const lang = useLang()
  const list = useMachines(space)
  const known = useQuery(chosenTagsQuery(chosen, lang)).data
  const [wished, choose] = useState<number>()
  const machine = list.find(({ id }) => id === wished) ?? list[0]
  const id = machine?.id ?? 0
  const tags = useQuery({ ...machineTagsQuery(id, lang), enabled: id > 0 }).data
  const ofMachine = useMemo(() => new Set(tags?.map(({ tagId }) => tagId)), [tags])
  const names = new Map(known?.machines.map(({ id, name }) => [id, name]))
  const shown = known?.tags.filter(({ tagId }) => chosen.includes(tagId)) ?? []
  return (
    <fieldset className={css.chooser}>
      <div className={css.choosers}>
        <ComboBox
          label={t.device}
          size="large"
          choices={list.map(({ id, name, code }) => ({ value: String(id), label: name, hint: code }))}
          chosen={machine ? [String(machine.id)] : []}
          onChoose={([next]) => choose(Number(next))}
          searchLabel={t.deviceSearch}
          noneText={t.deviceNone}
        />
        <ComboBox
          label={t.variables}
          size="large"
          choices={(tags ?? []).map(({ tagId, name, group, unit }) => ({
            value: String(tagId),
            label: name,
            hint: [group, unit].filter(Boolean).join(' · '),
          }))}
          chosen={chosen.filter((tagId) => ofMachine.has(tagId)).map(String)}
          max={Math.max(exportTagsMax - chosen.filter((tagId) => !ofMachine.has(tagId)).length, 1)}
          min={0}
          placeholder={t.variablesHint}
          onChoose={(next) =>
            onChoose([...chosen.filter((tagId) => !ofMachine.has(tagId)), ...next.map(Number)])
          }
          searchLabel={t.variableSearch}
          noneText={t.variableNone}
        />
      </div>
      {chosen.length === 0 ? (
        <p className={css.none}>{t.none}</p>
      ) : (
        <>
          <ul className={css.chips}>
            {shown.map(({ tagId, name, machineId }) => {
              const whole = `${names.get(machineId) ?? ''} · ${name}`
              return (
                <li key={tagId}>
                  <span className="cut" title={whole}>
                    {whole}
                  </span>
                  <IconButton
                    icon="close"
                    size="small"
                    label={t.remove(whole)}
                    onClick={() => onChoose(chosen.filter((other) => other !== tagId))}
                  />
                </li>
              )
            })}
          </ul>
          <div className={css.count}>
            <span>{t.chosen(chosen.length, exportTagsMax)}</span>
            <Button kind="ghost" size="small" onClick={() => onChoose([])}>
              {t.clear}
            </Button>
          </div>
        </>
      )}
    </fieldset>
  )
}

/** The devices of a space whose values the caller may see. */
function useMachines(space: PageSpace) {
  const lang = useLang()
  const { eid } = space.asked
  const own = useQuery({ ...machineListQuery(lang), enabled: eid === undefined }).data?.list
  const ofEnterprise = useQuery({
    ...enterpriseMachinesQuery(eid ?? 0, 1, lang),
    enabled: eid !== undefined,
    refetchInterval: false,
  }).data?.list
  const list = eid === undefined ? own : ofEnterprise
  return useMemo(() => list?.filter(({ level }) => level > contract.limitAuthority.ordinary) ?? [], [list])
}
