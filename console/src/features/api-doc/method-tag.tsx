import css from './method-tag.module.css'

/** The method of a call, set so that a column of them is even. */
export function MethodTag({ name }: { name: string }) {
  return <span className={css.method}>{name}</span>
}
