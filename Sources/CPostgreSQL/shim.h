#include <dlfcn.h>
#include <postgresql/libpq-fe.h>

/// The functions of libpq that are used. It brings a dozen libraries with it, for TLS, Kerberos and LDAP, which no start shall
/// wait for: so it is not linked, and opened when a database is asked for.
typedef struct {
  __typeof__(PQconninfoParse) *conninfoParse;
  __typeof__(PQconninfoFree) *conninfoFree;
  __typeof__(PQfreemem) *freemem;
  __typeof__(PQconnectStartParams) *connectStartParams;
  __typeof__(PQconnectPoll) *connectPoll;
  __typeof__(PQfinish) *finish;
  __typeof__(PQstatus) *status;
  __typeof__(PQsocket) *socket;
  __typeof__(PQserverVersion) *serverVersion;
  __typeof__(PQerrorMessage) *errorMessage;
  __typeof__(PQsetnonblocking) *setnonblocking;
  __typeof__(PQsetNoticeProcessor) *setNoticeProcessor;
  __typeof__(PQsendQuery) *sendQuery;
  __typeof__(PQsendQueryParams) *sendQueryParams;
  __typeof__(PQflush) *flush;
  __typeof__(PQconsumeInput) *consumeInput;
  __typeof__(PQisBusy) *isBusy;
  __typeof__(PQgetResult) *getResult;
  __typeof__(PQresultStatus) *resultStatus;
  __typeof__(PQresultErrorField) *resultErrorField;
  __typeof__(PQntuples) *ntuples;
  __typeof__(PQnfields) *nfields;
  __typeof__(PQgetisnull) *getisnull;
  __typeof__(PQgetlength) *getlength;
  __typeof__(PQgetvalue) *getvalue;
  __typeof__(PQcmdTuples) *cmdTuples;
  __typeof__(PQclear) *clear;
} coach_pq;

/// Opens libpq, which stays open; 0 when it is not there, or lacks a function.
static inline int coach_pq_open(coach_pq *library) {
  void *handle = dlopen("libpq.so.5", RTLD_NOW | RTLD_LOCAL);
  if (!handle) return 0;
#define COACH_PQ_FIND(name) \
  *(void **)&library->name = dlsym(handle, "PQ" #name); \
  if (!library->name) return 0
  COACH_PQ_FIND(conninfoParse);
  COACH_PQ_FIND(conninfoFree);
  COACH_PQ_FIND(freemem);
  COACH_PQ_FIND(connectStartParams);
  COACH_PQ_FIND(connectPoll);
  COACH_PQ_FIND(finish);
  COACH_PQ_FIND(status);
  COACH_PQ_FIND(socket);
  COACH_PQ_FIND(serverVersion);
  COACH_PQ_FIND(errorMessage);
  COACH_PQ_FIND(setnonblocking);
  COACH_PQ_FIND(setNoticeProcessor);
  COACH_PQ_FIND(sendQuery);
  COACH_PQ_FIND(sendQueryParams);
  COACH_PQ_FIND(flush);
  COACH_PQ_FIND(consumeInput);
  COACH_PQ_FIND(isBusy);
  COACH_PQ_FIND(getResult);
  COACH_PQ_FIND(resultStatus);
  COACH_PQ_FIND(resultErrorField);
  COACH_PQ_FIND(ntuples);
  COACH_PQ_FIND(nfields);
  COACH_PQ_FIND(getisnull);
  COACH_PQ_FIND(getlength);
  COACH_PQ_FIND(getvalue);
  COACH_PQ_FIND(cmdTuples);
  COACH_PQ_FIND(clear);
#undef COACH_PQ_FIND
  return 1;
}

static inline void coach_pq_drop_notice(void *nothing, const char *text) {
  (void)nothing;
  (void)text;
}

/// Notices of the server are not for standard error, where libpq would write them.
static inline void coach_pq_silence(const coach_pq *library, PGconn *connection) {
  library->setNoticeProcessor(connection, coach_pq_drop_notice, 0);
}
