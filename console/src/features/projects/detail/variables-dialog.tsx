import { projectLimits, projects, type telemetry } from '@busbar/contract'
import { useQueries, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { createPortal } from 'react-dom'
import { VariablePicker } from '../../../entities/machine/lazy-variable-picker.ts'
import { machineTagsQuery } from '../../../entities/machine/machine-queries.ts'
import type { Project } from '../../../entities/project/project.ts'
import { projectMachinesQuery, projectsKey } from '../../../entities/project/project-queries.ts'
import { call } from '../../../shared/api/client.ts'
import { useLang } from '../../../shared/i18n/index.ts'
import { Button } from '../../../shared/ui/button.tsx'
import { Chips } from '../../../shared/ui/fields/chips.tsx'
import { ChoicesField } from '../../../shared/ui/fields/choices-field.tsx'
import { FormDialog } from '../../../shared/ui/form/form-dialog.tsx'
import { useForm } from '../../../shared/ui/form/use-form.ts'
import kit from '../../../shared/ui/kit/field.module.css'
import { Stack } from '../../../shared/ui/layout/layout.tsx'
import { ToggleGroup } from '../../../shared/ui/toggle-group/toggle-group.tsx'
import { useDetailText } from './detail-text.ts'

type TagName = Pick<telemetry.Tag, 'group' | 'tag'>

interface Choice {
  readonly of: 'all' | 'some'
  readonly groups: readonly string[]
  readonly tags: readonly TagName[]
}

/** Groups are offered from so many devices; those of a project are alike as a rule. */
const machinesRead = 10
const noTags: readonly never[] = []
const nameOf = ({ group, tag }: TagName) => (group ? `${group} · ${tag}` : tag)

/** Chooses the variables of a project by their names, which hold for all of its devices. */
export function VariablesDialog({ project, onClose }: { project: Project; onClose: () => void }) {
  const t = useDetailText().settings
  const lang = useLang()
  const { id, variables } = project
  const { data: links = [] } = useQuery(projectMachinesQuery(id))
  const found = useQueries({
    queries: links
      .slice(0, machinesRead)
      .map(({ machineId }) => ({ ...machineTagsQuery(machineId, lang), retry: false })),
  })
  const [isPicking, setPicking] = useState(false)
  const form = useForm<{ readonly choice: Choice }>({
    initial: {
      choice: {
        of: variables ? 'some' : 'all',
        groups: variables?.groups ?? [],
        tags: variables?.tags ?? [],
      },
    },
    check: ({ choice: { of, groups, tags } }) => ({
      choice: of === 'some' && groups.length + tags.length === 0 ? t.pickNone : undefined,
    }),
    send: ({ choice: { of, groups, tags } }) =>
      call(projects.updateProject, {
        id,
        variables: of === 'all' ? null : { groups: [...groups], tags: [...tags] },
      }),
    done: t.saved,
    touched: [projectsKey],
    onSent: onClose,
  })
  const { choice } = form.values
  const change = (part: Partial<Choice>) => form.set('choice', { ...choice, ...part })
  const known = found.flatMap(({ data = [] }) => data.map(({ group }) => group))
  const groups = [...new Set([...choice.groups, ...known])].sort((a, b) => a.localeCompare(b))
  const machines = links.map(({ machineId, name, code }) => ({
    id: machineId,
    name,
    code,
  }))

  function add(picked: readonly TagName[]) {
    const byName = new Map(
      [...choice.tags, ...picked].map(({ group, tag }) => [nameOf({ group, tag }), { group, tag }]),
    )
    change({ tags: [...byName.values()] })
    setPicking(false)
  }

  return (
    <FormDialog title={t.choiceTitle} submit={t.save} form={form} onClose={onClose}>
      <div>
        <ToggleGroup
          label={t.variables}
          value={choice.of}
          onChange={(of) => change({ of })}
          options={[
            { value: 'all', label: t.choice.all },
            { value: 'some', label: t.choice.some },
          ]}
        />
      </div>
      {choice.of === 'some' && (
        <>
          {groups.length > 0 && (
            <ChoicesField
              label={t.groups}
              value={choice.groups}
              options={groups.map((group) => ({ value: group, label: group || t.noGroup }))}
              onChange={(chosen) => change({ groups: chosen })}
            />
          )}
          <Stack gap={6} align="start">
            <span className={kit.label}>{t.single}</span>
            <Chips
              chips={choice.tags.map((tag, place) => ({ value: place, label: nameOf(tag) }))}
              removeLabel={t.remove}
              onRemove={(place) => change({ tags: choice.tags.filter((_, other) => other !== place) })}
            />
            <Button type="button" size="small" icon="plus" onClick={() => setPicking(true)}>
              {t.pick}
            </Button>
          </Stack>
        </>
      )}
      {isPicking &&
        // Outside of the form, which Enter in the picker would send.
        createPortal(
          <VariablePicker
            machines={machines}
            chosen={noTags}
            known={noTags}
            max={projectLimits.variables - choice.tags.length}
            onChoose={(_, picked) => add(picked)}
            onClose={() => setPicking(false)}
          />,
          document.body,
        )}
    </FormDialog>
  )
}
