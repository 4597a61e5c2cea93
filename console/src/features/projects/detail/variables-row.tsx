import { useState } from 'react'
import type { Project } from '../../../entities/project/project.ts'
import { Button } from '../../../shared/ui/button.tsx'
import { SettingRow } from '../../../shared/ui/fields/setting-row.tsx'
import { useDetailText } from './detail-text.ts'
import { VariablesDialog } from './variables-dialog.tsx'

/** Which variables a project gets. */
export function VariablesRow({ project }: { project: Project }) {
  const t = useDetailText().settings
  const [isOpen, setOpen] = useState(false)
  const { variables } = project
  return (
    <SettingRow
      name={t.variables}
      hint={t.variablesHint}
      value={variables ? t.chosen(variables.groups.length, variables.tags.length) : t.all}
    >
      <Button onClick={() => setOpen(true)}>
        {t.change}
        <span className="sr-only">{t.variables}</span>
      </Button>
      {isOpen && <VariablesDialog project={project} onClose={() => setOpen(false)} />}
    </SettingRow>
  )
}
