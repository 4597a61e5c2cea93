import type { ReactNode } from 'react'
import type { ApiDocText } from '../../shared/i18n/cn/api-doc.ts'
import { CodeBlock } from '../../shared/ui/code-block.tsx'
import { Row, Stack, Text } from '../../shared/ui/layout/layout.tsx'
import { useApiDocText } from './api-doc-text.ts'
import { curlOf } from './curl.ts'
import { MethodTag } from './method-tag.tsx'
import type { Operation, Permission } from './openapi.ts'
import css from './operation-view.module.css'
import { listFields, type SchemaField, typeName } from './schema-fields.ts'
import { TryIt } from './try-it.tsx'

/** Everything about one call, and a place to try it. */
export function OperationView({ operation }: { operation: Operation }) {
  const t = useApiDocText()
  const { method, path, title, permission, parameters, body, isForm, answer, errors } = operation
  return (
    <article className={css.operation}>
      <header>
        <Text as="h2" size="18/24">
          {title}
        </Text>
        <Row as="p" above={10} gap={10} breaks>
          <MethodTag name={method} />
          <code className="mono">{path}</code>
        </Row>
        <Text as="p" above={8} tone="soft" className={css.who}>
          <b>{t.permission}</b> {describeWho(permission, t)}
        </Text>
      </header>
      {parameters.length > 0 && (
        <Section title={t.parameters}>
          <FieldTable
            fields={parameters.map(({ name, schema, required }) => ({
              path: name,
              depth: 0,
              type: typeName(schema),
              required,
              description: schema.description ?? '',
            }))}
          />
        </Section>
      )}
      {body && (
        <Section title={t.body} hint={isForm ? t.formHint : t.bodyHint}>
          <FieldTable fields={listFields(body)} />
        </Section>
      )}
      <Section title={t.answer} hint={answer && typeName(answer)}>
        <FieldTable fields={listFields(answer)} isAnswer />
      </Section>
      <Section title={t.curl}>
        <CodeBlock text={curlOf(operation, location.origin)} />
      </Section>
      <Section title={t.tryIt}>
        <TryIt operation={operation} />
      </Section>
      <Section title={t.errors}>
        <Stack as="ul" gap={4} tone="soft" className={css.errors}>
          {errors.map(({ status, text }) => (
            <li key={`${status} ${text}`}>
              <span className="mono">{status}</span> {text}
            </li>
          ))}
        </Stack>
      </Section>
    </article>
  )
}

function Section({
  title,
  hint,
  children,
}: {
  title: string
  hint?: string | undefined
  children: ReactNode
}) {
  return (
    <Stack as="section" gap={10} shrinks className={css.section}>
      <h3>
        {title} {hint && <small className="mono">{hint}</small>}
      </h3>
      {children}
    </Stack>
  )
}

/** A request marks its required fields; an answer, which has all of its fields, the optional ones. */
function FieldTable({ fields, isAnswer = false }: { fields: readonly SchemaField[]; isAnswer?: boolean }) {
  const t = useApiDocText()
  const mark = isAnswer ? t.optional : t.required
  if (fields.length === 0)
    return (
      <Text as="p" tone="quiet">
        {t.nothing}
      </Text>
    )
  return (
    <div className={css.scroller}>
      <table className={css.fields}>
        <thead>
          <tr>
            <th scope="col">{t.field}</th>
            <th scope="col">{t.type}</th>
            <th scope="col">{t.meaning}</th>
          </tr>
        </thead>
        <tbody>
          {fields.map((field, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: alternatives of one field may bear the same names
            <tr key={place}>
              <th scope="row" className="mono" style={{ paddingInlineStart: 12 + field.depth * 16 }}>
                {field.path}
              </th>
              <td className="mono">{field.type}</td>
              <td>
                {field.required !== isAnswer && <Text tone="quiet">{mark}</Text>} {field.description}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function describeWho(permission: Permission, t: ApiDocText): string {
  if (typeof permission === 'string') return t.who[permission] ?? permission
  const { right, orMember, refuse, ent, prj, self, ...named } = permission
  const who =
    prj !== undefined
      ? t.ofProject(prj)
      : ent !== undefined
        ? describeMember(ent, t)
        : describeRight(right ?? '', orMember, t)
  const fields = Object.values(named).join(', ')
  return fields ? `${who} (${t.by(fields)})` : who
}

function describeRight(right: string, orMember: string | undefined, t: ApiDocText): string {
  const who = t.who[right] ?? right
  return orMember === undefined ? who : t.either(who, describeMember(orMember, t))
}

function describeMember(right: string, t: ApiDocText): string {
  return right === 'member' ? t.member : t.memberWith(right)
}
