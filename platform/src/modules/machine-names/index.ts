/** The name of a machine for each reader. It depends on no other module, so that every module may use it. */
export {
  chosenNameFor,
  heldNameFor,
  listNames,
  nameFor,
  ownersName,
  ownNameFor,
  spaceFor,
} from './name-for.ts'
