import { exampleOf } from '../../../entities/project/examples.ts'
import type { ProjectMachine } from '../../../entities/project/project.ts'
import { projectMachinesQuery } from '../../../entities/project/project-queries.ts'
import { List } from '../../../shared/resource/list.tsx'
import { whole } from '../../../shared/resource/rows.ts'
import { IconButton } from '../../../shared/ui/button.tsx'
import { CodeBlock } from '../../../shared/ui/code-block.tsx'
import { SettingPanel, SettingRow } from '../../../shared/ui/fields/setting-row.tsx'
import { Box, Note, Panel, Row, Stack, Text } from '../../../shared/ui/layout/layout.tsx'
import { Switch } from '../../../shared/ui/switch.tsx'
import { useDetailText } from '../detail/detail-text.ts'
import type { PartProps } from '../detail/part-props.ts'
import { useChange } from '../detail/use-change.ts'
import { useEmbeddingText } from './embedding-text.ts'
import { OriginForm } from './origin-form.tsx'

interface ConsentRow extends ProjectMachine {
  readonly consent: 'yes' | 'no'
  readonly isOnline: 'yes' | 'no'
}

const yesOrNo = (is: boolean) => (is ? 'yes' : 'no')
const rowsOf = (found: ProjectMachine[]): ConsentRow[] =>
  found.map((row) => ({ ...row, consent: yesOrNo(row.mayVisit), isOnline: yesOrNo(row.online) }))

/** Which websites may show the project’s devices, how they ask for an address, and who consented. */
export function EmbeddingPart({ project }: PartProps) {
  const t = useEmbeddingText()
  const change = useChange(project)
  const { ownerOnly } = useDetailText().settings
  const { origins, mayEmbed: isOn, isOwner } = project
  const { text } = exampleOf('embed', 'sh', { address: location.origin, broker: '' })
  return (
    <Stack shrinks>
      <Panel aria-label={t.title}>
        <SettingRow name={t.title} hint={t.hint}>
          <Switch
            label={t.title}
            checked={isOn}
            disabled={!isOwner || change.isPending}
            reason={isOwner ? undefined : ownerOnly}
            onChange={(enable_get_visit_url) => change.mutate({ enable_get_visit_url })}
          />
        </SettingRow>
        {isOn && location.protocol !== 'https:' && (
          <Text as="p" line="top" pad="10 16" tone="warn" pretty>
            {t.https}
          </Text>
        )}
      </Panel>
      <SettingPanel title={t.origins}>
        <Stack gap={10} pad={16}>
          <Note>{t.originsHint}</Note>
          {origins.length === 0 && isOn && (
            <Text as="p" tone="warn">
              {t.none}
            </Text>
          )}
          <ul>
            {origins.map((origin) => (
              <Row as="li" key={origin} gap={8} justify="between">
                <Text mono breaks shrinks>
                  {origin}
                </Text>
                {isOwner && (
                  <IconButton
                    icon="trash"
                    size="small"
                    label={t.remove(origin)}
                    disabled={change.isPending}
                    onClick={() => change.mutate({ origins: origins.filter((each) => each !== origin) })}
                  />
                )}
              </Row>
            ))}
          </ul>
          {isOwner && <OriginForm project={project} />}
        </Stack>
      </SettingPanel>
      <SettingPanel title={t.call}>
        <Stack gap={10} pad={16} shrinks>
          <Note>{t.callHint}</Note>
          <CodeBlock text={text} />
          <Note>{t.more}</Note>
        </Stack>
      </SettingPanel>
      <Box above={16}>
        <List
          id="project.embedding"
          title={t.machines}
          lead={t.machinesHint}
          rows={whole(projectMachinesQuery(project.id), rowsOf)}
          rowKey="linkId"
          titles={t.columns}
          columns={{
            name: { kind: 'name', value: 'name', minor: ({ code }) => code },
            consent: { kind: 'state', value: 'consent', words: t.consents, tones: { yes: 'good' } },
            online: { kind: 'state', value: 'isOnline', words: t.onlines, rank: 3 },
          }}
          search={t.search}
          searched={({ name, code }) => [name, code]}
          empty={{ icon: 'devices', title: t.empty, hint: t.emptyHint }}
        />
      </Box>
    </Stack>
  )
}
