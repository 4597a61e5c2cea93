import type { Lang } from '@busbar/contract'
import { useState } from 'react'
import { examplesText as cn } from '../../shared/i18n/cn/project-examples.ts'
import { examplesText as en } from '../../shared/i18n/en/project-examples.ts'
import { useLang } from '../../shared/i18n/language.ts'
import { IconButton } from '../../shared/ui/button.tsx'
import { CodeBlock } from '../../shared/ui/code-block.tsx'
import { copyText } from '../../shared/ui/copy-text.ts'
import { Row, Stack, Text } from '../../shared/ui/layout/layout.tsx'
import { Tabs } from '../../shared/ui/tabs/tabs.tsx'
import css from './example-guide.module.css'
import {
  type Example,
  type ExampleLanguage,
  type ExamplePlace,
  exampleLanguages,
  exampleOf,
  exampleTasks,
} from './examples.ts'

const texts: Readonly<Record<Lang, typeof cn>> = { cn, en }

/** Everything that a developer needs for a first row: the steps of each task, and a program that does it. */
export function ExampleGuide(place: ExamplePlace) {
  const t = texts[useLang()]
  const [language, setLanguage] = useState<ExampleLanguage>('ts')
  return (
    <Tabs
      label={t.language}
      tabs={exampleLanguages.map((id) => ({ id, label: t.languages[id] }))}
      chosen={language}
      onChoose={setLanguage}
      panelClassName={css.tasks}
    >
      {exampleTasks.map((task) => (
        <Stack as="section" key={task} gap={10} shrinks data-subject="">
          <Text as="h2" size="16/22" weight={600}>
            {t.tasks[task].title}
          </Text>
          <ol className={css.steps}>
            {t.tasks[task].steps.map((step) => (
              <li key={step}>{step}</li>
            ))}
          </ol>
          <Code example={exampleOf(task, language, place)} t={t} />
        </Stack>
      ))}
    </Tabs>
  )
}

function Code({ example: { file, text }, t }: { example: Example; t: typeof cn }) {
  return (
    <Stack surface="well" shrinks>
      <Row line="bottom" padX={12} padY={4} justify="between">
        <Text mono size={12} tone="soft">
          {file}
        </Text>
        <IconButton icon="copy" size="small" label={t.copy(file)} onClick={() => void copyText(text)} />
      </Row>
      <CodeBlock text={text} isFramed />
    </Stack>
  )
}
