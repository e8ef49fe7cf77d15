const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-5][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const IRI = /^[a-z][a-z0-9+.-]*:\S+$/i
/** RFC 5646, in the forms that are used. */
const LANGUAGE = /^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/
const DURATION = /^P(?=.)(\d+D)?(T(?=.)(\d+H)?(\d+M)?(\d+(\.\d{1,2})?S)?)?$/
const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/

type Json = Record<string, unknown>

/** Throws an Error that names the first part of a statement that breaks xAPI 1.0.3. */
export function checkStatement(value: unknown): void {
  const statement = object(value, 'statement')
  only(statement, 'id actor verb object result context timestamp')
  matches(statement.id, UUID, 'id')
  checkActor(object(statement.actor, 'actor'))
  const verb = object(statement.verb, 'verb')
  only(verb, 'id display')
  matches(verb.id, IRI, 'verb.id')
  languages(verb.display, 'verb.display')
  checkActivity(object(statement.object, 'object'))
  if (statement.result !== undefined) checkResult(object(statement.result, 'result'))
  if (statement.context !== undefined) checkContext(object(statement.context, 'context'))
  matches(statement.timestamp, TIMESTAMP, 'timestamp')
}

function checkActor(actor: Json): void {
  only(actor, 'objectType account')
  require(actor.objectType === 'Agent', 'actor.objectType')
  const account = object(actor.account, 'actor.account')
  only(account, 'homePage name')
  matches(account.homePage, IRI, 'actor.account.homePage')
  require(typeof account.name === 'string' && account.name !== '', 'actor.account.name')
}

function checkActivity(activity: Json): void {
  only(activity, 'objectType id definition')
  require(activity.objectType === 'Activity', 'object.objectType')
  matches(activity.id, IRI, 'object.id')
  if (activity.definition === undefined) return
  const definition = object(activity.definition, 'object.definition')
  only(definition, 'type name')
  if (definition.type !== undefined) matches(definition.type, IRI, 'object.definition.type')
  languages(definition.name, 'object.definition.name')
}

function checkResult(result: Json): void {
  only(result, 'completion duration extensions')
  require([undefined, true, false].includes(result.completion as never), 'result.completion')
  matches(result.duration, DURATION, 'result.duration')
  extensions(result.extensions, 'result.extensions')
}

function checkContext(context: Json): void {
  only(context, 'registration contextActivities extensions')
  matches(context.registration, UUID, 'context.registration')
  const activities = object(context.contextActivities, 'context.contextActivities')
  only(activities, 'category')
  require(Array.isArray(activities.category), 'context.contextActivities.category')
  for (const one of activities.category as unknown[]) checkActivity(object(one, 'category'))
  extensions(context.extensions, 'context.extensions')
}

function languages(value: unknown, name: string): void {
  if (value === undefined) return
  for (const [language, text] of Object.entries(object(value, name)))
    require(LANGUAGE.test(language) && typeof text === 'string', name)
}

function extensions(value: unknown, name: string): void {
  for (const [key, one] of Object.entries(object(value, name)))
    require(IRI.test(key) && one !== null && one !== '', `${name} ${key}`)
}

function object(value: unknown, name: string): Json {
  require(typeof value === 'object' && value !== null && !Array.isArray(value), name)
  return value as Json
}

function only(value: Json, names: string): void {
  for (const name of Object.keys(value)) require(names.split(' ').includes(name), name)
}

const matches = (value: unknown, form: RegExp, name: string): void =>
  require(typeof value === 'string' && form.test(value), name)

function require(isValid: boolean, name: string): void {
  if (!isValid) throw new Error(`${name} is invalid`)
}
