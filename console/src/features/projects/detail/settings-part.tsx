import { projects } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Project } from '../../../entities/project/project.ts'
import { projectsKey, reportingServersQuery } from '../../../entities/project/project-queries.ts'
import { call } from '../../../shared/api/client.ts'
import { formatNumber } from '../../../shared/i18n/index.ts'
import { formatLasts } from '../../../shared/i18n/time-span.ts'
import { Button } from '../../../shared/ui/button.tsx'
import { TextField } from '../../../shared/ui/field.tsx'
import { SettingPanel, SettingRow } from '../../../shared/ui/fields/setting-row.tsx'
import { FormRefusal } from '../../../shared/ui/form/form-dialog.tsx'
import { useForm } from '../../../shared/ui/form/use-form.ts'
import { Panel, Row, Stack } from '../../../shared/ui/layout/layout.tsx'
import { Select } from '../../../shared/ui/select/select.tsx'
import { Switch } from '../../../shared/ui/switch.tsx'
import css from '../projects-page.module.css'
import { DeleteProjectDialog } from './delete-project-dialog.tsx'
import { useDetailText } from './detail-text.ts'
import { intervalsWith, rowsOfMonth } from './interval.ts'
import { KeyPanel } from './key-panel.tsx'
import type { PartProps } from './part-props.ts'
import { useChange } from './use-change.ts'
import { VariablesRow } from './variables-row.tsx'

/** The platform's own address among reporting servers. */
const ownServer = 1

/** The data that a project sends and how often, its key, and its end. */
export function SettingsPart({ project }: PartProps) {
  const t = useDetailText().settings
  const isOwner = project.isOwner
  const [isDeleting, setDeleting] = useState(false)
  const change = useChange(project)
  const { everyS } = project
  return (
    <div className={css.settings}>
      <NameForm project={project} />
      <SettingPanel>
        <SettingRow name={t.reporting} hint={t.reportingHint}>
          <Switch
            label={t.reporting}
            checked={project.isReporting}
            disabled={change.isPending}
            onChange={(isOn) => change.mutate({ report_state: isOn ? 1 : 0 })}
          />
        </SettingRow>
        <SettingRow
          name={t.interval}
          hint={everyS === 0 ? t.intervalEach : t.intervalHint(formatNumber(rowsOfMonth(everyS)))}
        >
          <Select
            label={t.interval}
            isLabelHidden
            disabled={change.isPending}
            choices={intervalsWith(everyS).map((seconds) => ({
              value: String(seconds),
              label: seconds === 0 ? t.eachChange : t.every(formatLasts(seconds * 1_000)),
            }))}
            value={String(everyS)}
            onChange={(seconds) => change.mutate({ everyS: Number(seconds) })}
          />
        </SettingRow>
        <VariablesRow project={project} />
        <ServerRow project={project} />
        <SettingRow name={t.writing} hint={t.writingHint}>
          <Switch
            label={t.writing}
            checked={project.mayWrite}
            disabled={!isOwner || change.isPending}
            reason={isOwner ? undefined : t.ownerOnly}
            onChange={(allow_write) => change.mutate({ allow_write })}
          />
        </SettingRow>
        <SettingRow name={t.pages} hint={t.pagesHint}>
          <Switch
            label={t.pages}
            checked={project.hasPages}
            disabled={change.isPending}
            onChange={(picture) => change.mutate({ picture })}
          />
        </SettingRow>
      </SettingPanel>
      {isOwner && <KeyPanel project={project} />}
      {isOwner && (
        <SettingPanel>
          <SettingRow name={t.delete} hint={t.deleteHint}>
            <Button onClick={() => setDeleting(true)}>{t.delete}</Button>
          </SettingRow>
        </SettingPanel>
      )}
      {isDeleting && <DeleteProjectDialog project={project} onClose={() => setDeleting(false)} />}
    </div>
  )
}

/** The address at which its system signs in to MQTT, where the operator offers several. */
function ServerRow({ project }: PartProps) {
  const t = useDetailText().settings
  const change = useChange(project)
  const { data = [] } = useQuery(reportingServersQuery)
  if (!project.isOwner || data.length < 2) return null
  return (
    <SettingRow name={t.server} hint={t.serverHint}>
      <Select
        label={t.server}
        isLabelHidden
        disabled={change.isPending}
        choices={data.map(({ id, name, host }) => ({
          value: String(id),
          label: id === ownServer ? t.serverOwn : name,
          detail: host,
        }))}
        value={String(project.server)}
        onChange={(server) => change.mutate({ server: Number(server) })}
      />
    </SettingRow>
  )
}

function NameForm({ project: { id, name, description } }: { project: Project }) {
  const t = useDetailText().settings
  const form = useForm({
    route: projects.updateProject,
    initial: { name, description },
    follows: true,
    words: { name: { required: t.nameMissing } },
    required: ['name'],
    send: (values) => call(projects.updateProject, { id, ...values }),
    done: t.saved,
    touched: [projectsKey],
  })
  return (
    <Panel pad={16}>
      <form {...form.props}>
        <Stack gap={14}>
          <TextField label={t.name} {...form.text('name')} />
          <TextField label={t.description} {...form.text('description')} />
          <FormRefusal text={form.general} />
          {form.isDirty && (
            <Row>
              <Button kind="primary" type="submit" busy={form.isSending}>
                {t.save}
              </Button>
            </Row>
          )}
        </Stack>
      </form>
    </Panel>
  )
}
