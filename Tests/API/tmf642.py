"""The part of TM Forum TMF642 v4.0.0 that Nkul answers, written anew as OpenAPI: paths, members and types as there, but that
identifiers of alarms are strings, problems are problem documents, and what may be changed or ordered is what docs/tmf642.md says.
Members by which a client of TMF says who did it and when may be left out, as nothing is taken of them.
"""

SEVERITIES = ["critical", "major", "minor", "warning", "indeterminate", "cleared"]
TEXT, FLAG, TIME = {"type": "string"}, {"type": "boolean"}, {"type": "string", "format": "date-time"}
SAID = {"type": "string", "minLength": 1, "maxLength": 1000, "pattern": "^[^\\u0000-\\u0009\\u000b-\\u001f\\u007f-\\u009f]+$"}
NAME = {"type": "string", "pattern": "^[^,\\u0000-\\u001f\\u007f-\\u009f]{1,200}$"}


def objects(members, required=(), closed=False):
    """An object; every object of TMF may say what it is."""
    typed = {name: TEXT for name in ["@type", "@baseType", "@schemaLocation"]}
    schema = {"type": "object", "properties": typed | members, "required": list(required)}
    return schema | ({"additionalProperties": False} if closed else {})


def many(schema, **more):
    return {"type": "array", "items": schema, **more}


def ref(name):
    return {"$ref": f"#/components/schemas/{name}"}


TEXTS = """id href ackState ackSystemId ackUserId alarmDetails alarmType alarmedObjectType clearSystemId clearUserId
    externalAlarmId perceivedSeverity plannedOutageIndicator probableCause proposedRepairedActions reportingSystemId
    sourceSystemId specificProblem state""".split()
TIMES = ["alarmChangedTime", "alarmClearedTime", "alarmRaisedTime", "alarmReportingTime"]
FLAGS = ["alarmEscalation", "isRootCause", "serviceAffecting"]
ALARM = (
    {name: TEXT for name in TEXTS} | {name: TIME for name in TIMES} | {name: FLAG for name in FLAGS}
    | {
        "alarmedObject": ref("AlarmedObject"), "affectedService": many(ref("AffectedService")),
        "comment": many(ref("Comment")), "correlatedAlarm": many(ref("AlarmRef")), "parentAlarm": many(ref("AlarmRef")),
        "place": many(ref("RelatedPlace")), "crossedThresholdInformation": {"type": "object"},
    })
REFERENCE = {"id": TEXT, "href": TEXT, "name": TEXT, "@referredType": TEXT}
PATTERN = objects(
    {name: NAME for name in ["id", "alarmType", "probableCause", "alarmedObjectType"]}
    | {
        "perceivedSeverity": {"enum": SEVERITIES}, "state": {"enum": ["raised", "updated", "cleared"]},
        "ackState": {"enum": ["acknowledged", "unacknowledged"]},
    }, closed=True) | {"anyOf": [{"required": [name]} for name in ["id", "perceivedSeverity", "state", "alarmType"]]}
NEW_COMMENT = objects({"comment": SAID, "systemId": SAID, "userId": TEXT, "time": TEXT}, ["comment"], closed=True)
# By task: the alarms to which it was done, who did it, by which system, when.
TASKS = {
    "ackAlarms": ("ackedAlarm", "ackUserId", "ackSystemId", "ackTime"),
    "unAckAlarms": ("unAckedAlarm", "ackUserId", "ackSystemId", "ackTime"),
    "clearAlarms": ("clearedAlarm", "clearUserId", "clearSystemId", "alarmClearedTime"),
    "commentAlarms": ("commentedAlarm", None, None, None),
    "groupAlarms": ("groupedAlarm", None, "sourceSystemId", "alarmChangedTime"),
    "unGroupAlarms": ("unGroupedAlarm", None, "sourceSystemId", "alarmChangedTime"),
}
GROUPED = {"type": "object", "properties": {"id": {"type": "string", "format": "alarm"}}, "required": ["id"]}


def task(kind):
    """What a task is, and what is ordered."""
    done, user, system, time = TASKS[kind]
    members = {"id": TEXT, "href": TEXT, "state": TEXT, done: many(ref("AlarmRef")), "alarmPattern": many({"type": "object"})}
    order = {"alarmPattern": many(PATTERN, minItems=1, maxItems=20)}
    if kind == "commentAlarms":
        return objects(members | {"comment": ref("Comment")}, ["id", "state", "comment"]), objects(
            order | {"comment": NEW_COMMENT}, ["comment", "alarmPattern"], closed=True)
    if user is None:
        del members["alarmPattern"]
        group = {"parentAlarm": GROUPED, "correlatedAlarm": many(GROUPED, minItems=1, maxItems=200, uniqueItems=True)}
        return objects(
            members | {system: TEXT, time: TIME, "parentAlarm": ref("AlarmRef"), "correlatedAlarm": many(ref("AlarmRef"))},
            ["id", "state", time, "parentAlarm"]), objects(
            group | {system: SAID, time: TEXT}, ["parentAlarm", "correlatedAlarm"], closed=True)
    return objects(members | {user: TEXT, system: TEXT, time: TIME}, ["id", "state", user, time]), objects(
        order | {user: TEXT, system: SAID, time: TEXT}, ["alarmPattern"], closed=True)


SCHEMAS = {
    "Alarm": objects(ALARM, ["id", "state", "perceivedSeverity", "alarmRaisedTime", "sourceSystemId"]),
    "AlarmRef": objects(REFERENCE, ["id"]), "AlarmedObject": objects({"id": TEXT, "href": TEXT}),
    "AffectedService": objects({"id": TEXT, "href": TEXT}),
    "RelatedPlace": objects(REFERENCE | {"role": TEXT}, ["role"]),
    "Comment": objects({"comment": TEXT, "systemId": TEXT, "time": TIME, "userId": TEXT}),
}
PATCH = objects(
    {
        "ackState": {"enum": ["acknowledged", "unacknowledged"]}, "ackSystemId": SAID, "ackUserId": SAID,
        "comment": many(NEW_COMMENT, minItems=1, maxItems=20), "state": {"const": "cleared"}, "clearSystemId": SAID,
        "clearUserId": SAID,
    }, closed=True) | {"dependentRequired": {
        "ackSystemId": ["ackState"], "ackUserId": ["ackState"], "clearSystemId": ["state"], "clearUserId": ["state"]}}

FIELDS = {"name": "fields", "in": "query", "schema": TEXT | {"minLength": 1}}
PAGES = [
    {"name": "offset", "in": "query", "schema": {"type": "integer", "minimum": 0, "maximum": 1_000_000_000}},
    {"name": "limit", "in": "query", "schema": {"type": "integer", "minimum": 1, "maximum": 1000}},
]
ID = {"name": "id", "in": "path", "required": True, "schema": {"type": "string", "pattern": "^[A-Za-z0-9._-]{1,64}$"}}
PROBLEM = {
    "type": "object", "required": ["code", "title", "status"],
    "properties": {"code": TEXT, "title": TEXT, "status": {"type": "integer"}, "detail": TEXT, "field": TEXT},
}


def call(summary, statuses, schema=None, parameters=(), body=None, media="application/json"):
    """An operation: its first status is that of success, the others those of problems."""
    success, *problems = statuses
    responses = {str(status): {
        "description": "refused", "content": {"application/problem+json": {"schema": PROBLEM}}} for status in problems}
    if success:
        content = {"application/json": {"schema": schema}} if schema else None
        responses[str(success)] = {"description": "done"} | ({"content": content} if content else {})
    operation = {"summary": summary, "parameters": list(parameters), "responses": responses, "security": [{"bearer": []}]}
    if body:
        operation["requestBody"] = {"required": True, "content": {media: {"schema": body}}}
    return operation


def part(schema):
    """`fields` leaves members out."""
    return {"anyOf": [schema, {"type": "object", "maxProperties": 2}]}


def document():
    """The document, without paths of listeners, which are the client's."""
    read, write = [400, 401, 404, 429, 503], [400, 401, 403, 404, 409, 413, 429, 503]
    paths = {
        "/alarm": {
            "get": call("lists alarms", [200, *read], many(part(ref("Alarm"))), [FIELDS, *PAGES]),
            "post": call("refused", [None, 400, 401, 403, 429, 503]),
        },
        "/alarm/{id}": {
            "get": call("one alarm", [200, *read], part(ref("Alarm")), [ID, FIELDS]),
            "patch": call("changes one", [200, *write], part(ref("Alarm")), [ID, FIELDS], PATCH),
            "delete": call("refused", [None, 400, 401, 403, 404, 429, 503], parameters=[ID]),
        },
    }
    listener = objects({"id": TEXT, "callback": TEXT, "query": TEXT}, ["id", "callback"])
    listening = objects(
        {
            "callback": {"type": "string", "format": "listener"},
            "query": {"anyOf": [{"type": "string", "format": "events"}, {"type": "null"}]},
        }, ["callback"], closed=True)
    paths["/hub"] = {
        "get": call("lists listeners", [200, 403, *read], many(part(listener)), [FIELDS, *PAGES]),
        "post": call("adds a listener", [201, *write], listener, body=listening),
    }
    paths["/hub/{id}"] = {
        "get": call("one listener", [200, 403, *read], part(listener), [ID, FIELDS]),
        "delete": call("removes one", [204, 400, 401, 403, 404, 409, 429, 503], parameters=[ID]),
    }
    schemas = dict(SCHEMAS)
    for kind in TASKS:
        name = kind[0].upper() + kind[1:]
        schemas[name], order = task(kind)
        paths[f"/{kind}"] = {
            "get": call("lists tasks", [200, *read], many(part(ref(name))), [FIELDS, *PAGES]),
            "post": call("orders one", [201, *write], part(ref(name)), [FIELDS], order),
        }
        paths[f"/{kind}/{{id}}"] = {"get": call("one task", [200, *read], part(ref(name)), [ID, FIELDS])}
    return {
        "openapi": "3.1.0", "info": {"title": "alarms as TM Forum TMF642 v4 has them", "version": "4.0.0"}, "paths": paths,
        "components": {"schemas": schemas, "securitySchemes": {"bearer": {"type": "http", "scheme": "bearer"}}},
    }
