import { createElement, type JSX, type ReactNode } from 'react'
import type { looks } from '../../../../build/generate-looks.ts'
import './looks.gen.css'

type Tags =
  | 'article'
  | 'aside'
  | 'b'
  | 'dd'
  | 'div'
  | 'dl'
  | 'dt'
  | 'em'
  | 'figcaption'
  | 'figure'
  | 'footer'
  | 'h1'
  | 'h2'
  | 'h3'
  | 'header'
  | 'label'
  | 'li'
  | 'main'
  | 'nav'
  | 'ol'
  | 'output'
  | 'p'
  | 'section'
  | 'small'
  | 'span'
  | 'strong'
  | 'time'
  | 'ul'

type Looks = {
  readonly [Name in keyof typeof looks]?:
    | ((typeof looks)[Name] extends string ? boolean : keyof (typeof looks)[Name])
    | undefined
}

type PartProps<Tag extends Tags> = Looks &
  Omit<JSX.IntrinsicElements[Tag], keyof Looks> & {
    /** The element, where it means more than the usual one. */
    readonly as?: Tag
  }

/** The names of all looks; the stylesheet has a class for each of their values. */
export const lookNames = new Set(
  'surface line pad padX padY above below gap align justify columns wraps inline grows fixed shrinks last wide spans tone size leading weight cut oneLine breaks pretty numbers mono to'.split(
    ' ',
  ),
)

function draw(part: string, usual: Tags, props: Looks): ReactNode {
  const { as = usual, className, ...others } = props as PartProps<'div'> & { as?: Tags }
  const classNames = part ? [part] : []
  const rest: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(others)) {
    if (!lookNames.has(name)) rest[name] = value
    else if (value === true) classNames.push(name)
    else if (value !== undefined && value !== false)
      classNames.push(`${name}-${String(value).replace(/\W/g, '-')}`)
  }
  if (className) classNames.push(className)
  return createElement(as, { ...rest, className: classNames.join(' ') || undefined })
}

/** One thing under the other. */
export const Stack = <Tag extends Tags = 'div'>(props: PartProps<Tag>) => draw('stack', 'div', props)

/** One thing beside the other, on one line. */
export const Row = <Tag extends Tags = 'div'>(props: PartProps<Tag>) => draw('row', 'div', props)

/** Things in columns. */
export const Grid = <Tag extends Tags = 'div'>(props: PartProps<Tag>) => draw('grid', 'div', props)

/** An area of the page with a border. */
export const Panel = <Tag extends Tags = 'section'>(props: PartProps<Tag>) => draw('panel', 'section', props)

/** A place among others. */
export const Box = <Tag extends Tags = 'div'>(props: PartProps<Tag>) => draw('', 'div', props)

/** Text with a look. */
export const Text = <Tag extends Tags = 'span'>(props: PartProps<Tag>) => draw('', 'span', props)

/** A short explanation beside what it explains. */
export const Note = <Tag extends Tags = 'p'>(props: PartProps<Tag>) => draw('note', 'p', props)
