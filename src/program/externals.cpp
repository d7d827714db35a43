#include "program/externals.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

namespace heddle::program {
namespace {

using Models = std::unordered_map<std::string_view, ExternalModel>;

// Names with a space between.
void add(Models& models, ExternalModel model, std::string_view names) {
  model.is_known = true;
  while (!names.empty()) {
    const size_t length = std::min(names.find(' '), names.size());
    models[names.substr(0, length)] = model;
    names.remove_prefix(std::min(length + 1, names.size()));
  }
}

Models make_models() {
  Models models;
  add(models, {.allocates = true},
      "malloc valloc pvalloc memalign aligned_alloc _Znwm _Znam _ZnwmRKSt9nothrow_t "
      "_ZnamRKSt9nothrow_t _ZnwmSt11align_val_t _ZnamSt11align_val_t _ZnwmSt11align_val_tRKSt9nothrow_t "
      "_ZnamSt11align_val_tRKSt9nothrow_t __cxa_allocate_exception mmap mmap64 alloca");
  add(models, {.allocates = true, .writes_result = true}, "calloc");
  add(models, {.allocates = true, .writes_result = true, .returns_argument = 0, .reads_arguments = true},
      "realloc reallocarray");
  add(models, {.allocates = true, .writes_result = true, .reads_arguments = true}, "strdup strndup wcsdup");
  add(models,
      {.returns_argument = 0,
       .copies_to = 0,
       .copies_from = 1,
       .reads_arguments = true,
       .writes_argument = 0},
      "memcpy memmove strcpy strncpy strcat strncat wmemcpy wmemmove wcscpy wcsncpy __memcpy_chk "
      "__memmove_chk __strcpy_chk __strncpy_chk __strcat_chk");
  add(models, {.copies_to = 0, .copies_from = 1, .reads_arguments = true, .writes_argument = 0},
      "mempcpy stpcpy stpncpy llvm.va_copy");
  add(models, {.returns_argument = 0, .reads_arguments = true, .writes_argument = 0},
      "memset wmemset __memset_chk explicit_bzero bzero fgets getcwd realpath strtok");
  // Look at their arguments only.
  add(models, {.reads_arguments = true},
      "strlen strnlen wcslen strcmp strncmp strcasecmp strncasecmp strcoll memcmp wmemcmp strspn strcspn "
      "atoi atol atoll atof printf fprintf dprintf vprintf vfprintf puts fputs fwrite perror write pwrite "
      "open open64 openat creat unlink remove rename mkdir rmdir access chdir chmod system execv execve "
      "execvp setenv unsetenv syslog send sendto bind connect fflush fclose feof ferror fileno fputc putc "
      "__assert_fail __printf_chk __fprintf_chk __vfprintf_chk _ZSt20__throw_length_errorPKc "
      "_ZSt19__throw_logic_errorPKc _ZSt24__throw_out_of_range_fmtPKcz _ZSt20__throw_out_of_rangePKc "
      "_ZSt24__throw_invalid_argumentPKc sem_getvalue kill clock_settime timer_delete utimes truncate");
  // Compute, or change what the library alone has: nothing of the program.
  add(models, {},
      "free cfree _ZdlPv _ZdaPv _ZdlPvm _ZdaPvm _ZdlPvSt11align_val_t _ZdlPvmSt11align_val_t "
      "_ZdaPvSt11align_val_t _ZdaPvmSt11align_val_t _ZdlPvRKSt9nothrow_t __cxa_free_exception munmap abs "
      "labs llabs rand random srand srandom putchar getchar getpid gettid getppid getuid sleep usleep "
      "sched_yield pthread_self pthread_equal pthread_yield pthread_detach pthread_cancel pthread_kill "
      "pthread_testcancel pthread_setcancelstate pthread_setcanceltype pthread_mutex_lock "
      "pthread_mutex_trylock pthread_mutex_timedlock pthread_mutex_clocklock pthread_mutex_unlock "
      "pthread_mutex_init pthread_mutex_destroy pthread_mutexattr_init pthread_mutexattr_settype "
      "pthread_mutexattr_destroy pthread_rwlock_rdlock pthread_rwlock_wrlock pthread_rwlock_tryrdlock "
      "pthread_rwlock_trywrlock pthread_rwlock_timedrdlock pthread_rwlock_timedwrlock "
      "pthread_rwlock_clockrdlock pthread_rwlock_clockwrlock pthread_rwlock_unlock pthread_rwlock_init "
      "pthread_rwlock_destroy pthread_cond_wait pthread_cond_timedwait pthread_cond_clockwait "
      "pthread_cond_signal pthread_cond_broadcast pthread_cond_init pthread_cond_destroy "
      "pthread_spin_lock pthread_spin_trylock pthread_spin_unlock pthread_spin_init pthread_spin_destroy "
      "pthread_barrier_init pthread_barrier_wait pthread_barrier_destroy pthread_attr_init "
      "pthread_attr_destroy pthread_attr_setdetachstate pthread_attr_setstacksize pthread_key_delete "
      "sem_init sem_wait sem_post sem_trywait sem_timedwait sem_destroy mtx_init mtx_lock mtx_trylock "
      "mtx_timedlock mtx_unlock mtx_destroy cnd_init cnd_signal cnd_broadcast cnd_wait cnd_timedwait "
      "cnd_destroy thrd_yield thrd_sleep thrd_current thrd_equal thrd_detach close dup dup2 socket listen "
      "shutdown fcntl lseek fsync ftruncate alarm exp log log2 log10 pow sqrt sin cos tan floor ceil "
      "round fabs fmod lround sqrtf powf expf logf floorf ceilf roundf isalpha isdigit isspace isalnum "
      "isupper islower isxdigit ispunct isprint toupper tolower ldexp __cxa_end_catch __cxa_guard_acquire "
      "__cxa_guard_release __cxa_guard_abort time clock _ZNSt6thread4joinEv _ZNSt6thread6detachEv "
      "_ZNSt6thread20hardware_concurrencyEv _ZNSt18condition_variable10notify_oneEv "
      "_ZNSt18condition_variable10notify_allEv _ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE "
      "_ZNSt18condition_variableC1Ev _ZNSt18condition_variableD1Ev _ZNSt6chrono3_V212system_clock3nowEv "
      "_ZNSt6chrono3_V212steady_clock3nowEv _ZSt17__throw_bad_allocv _ZSt28__throw_bad_array_new_lengthv "
      "_ZSt20__throw_system_errori _ZSt25__throw_bad_function_callv _ZNSt8ios_base4InitC1Ev "
      "_ZNSt8ios_base4InitD1Ev llvm.va_end __cxa_throw_bad_array_new_length _ZSt21ios_base_library_initv "
      "llvm.trap llvm.debugtrap llvm.eh.typeid.for llvm.stacksave llvm.stackrestore llvm.assume");
  add(models, {.ends = true},
      "exit _exit _Exit quick_exit abort pthread_exit thrd_exit _ZSt9terminatev __cxa_rethrow "
      "__clang_call_terminate _Unwind_Resume longjmp siglongjmp __cxa_bad_cast __cxa_pure_virtual");
  add(models, {.reads_arguments = true, .writes_arguments = true},
      "sprintf snprintf vsnprintf vsprintf __snprintf_chk __sprintf_chk __vsnprintf_chk swprintf scanf "
      "fscanf sscanf __isoc99_sscanf __isoc99_fscanf __isoc99_scanf __isoc23_sscanf __isoc23_scanf read "
      "pread fread recv recvfrom stat fstat lstat clock_gettime clock_nanosleep gettimeofday nanosleep "
      "pipe pipe2 poll select epoll_wait waitpid wait accept accept4 getsockopt getrusage sigemptyset "
      "sigfillset sigaddset sigprocmask pthread_sigmask sigwait localtime_r gmtime_r uname gethostname "
      "rand_r modf frexp strftime getrandom pthread_attr_getstack pthread_getattr_np sched_getaffinity");
  add(models, {.returns_argument = 0, .returns_inside = true, .reads_arguments = true},
      "strchr strrchr strstr memchr strpbrk memrchr strcasestr wcschr wmemchr rawmemchr basename");
  add(models, {.returns_argument = 0, .reads_arguments = true},
      "__dynamic_cast llvm.launder.invariant.group.p0 llvm.strip.invariant.group.p0");
  add(models, {.links_nodes = true, .reads_arguments = true, .writes_arguments = true},
      "_ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_ "
      "_ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_ "
      "_ZNSt8__detail15_List_node_base7_M_hookEPS0_ _ZNSt8__detail15_List_node_base9_M_unhookEv "
      "_ZNSt8__detail15_List_node_base11_M_transferEPS0_S1_ _ZNSt8__detail15_List_node_base4swapERS0_S1_ "
      "_ZNSt8__detail15_List_node_base10_M_reverseEv");
  add(models, {.links_nodes = true, .reads_arguments = true},
      "_ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base _ZSt18_Rb_tree_decrementPSt18_Rb_tree_node_base "
      "_ZSt18_Rb_tree_incrementPKSt18_Rb_tree_node_base _ZSt18_Rb_tree_decrementPKSt18_Rb_tree_node_base");
  add(models, {.returns_outside = true, .reads_arguments = true},
      "getenv secure_getenv strerror localtime gmtime ctime asctime fopen fdopen popen tmpfile opendir "
      "setlocale __errno_location __ctype_b_loc __ctype_tolower_loc __ctype_toupper_loc dlsym dlopen "
      "dlerror ttyname gai_strerror __cxa_get_globals __cxa_current_exception_type _ZNSt6localeC1Ev "
      "_ZSt15system_categoryv _ZSt16generic_categoryv __cxa_begin_catch __cxa_get_exception_ptr "
      "llvm.frameaddress.p0 llvm.returnaddress pthread_getspecific tss_get");
  add(models, {.reads_arguments = true, .writes_argument = 1},
      "strtol strtoul strtoll strtoull strtod strtof");
  add(models, {.called = 0}, "atexit at_quick_exit");
  add(models, {.called = 0, .called_with = 1},
      "__cxa_atexit __cxa_thread_atexit __cxa_thread_atexit_impl on_exit");
  add(models, {.called = 1}, "pthread_once call_once");
  add(models, {.writes_argument = 0, .called_later = 1}, "pthread_key_create tss_create");
  add(models, {.returns_outside = true, .called_later = 1}, "signal sigset bsd_signal");
  add(models,
      {.reads_arguments = true, .writes_argument = 0, .called = 3, .called_with = 0, .element_size = 2},
      "qsort qsort_r");
  add(models,
      {.returns_argument = 1,
       .returns_inside = true,
       .reads_arguments = true,
       .called = 4,
       .called_with = 1,
       .element_size = 3},
      "bsearch");
  add(models, {.started = 2, .started_with = 3}, "pthread_create");
  add(models, {.started = 1, .started_with = 2}, "thrd_create");
  add(models, {.started = 0, .started_with = 1, .starts_several = true}, "GOMP_parallel GOMP_task");
  // __kmpc_fork_call, which gives its function numbers of threads before the arguments, is left unknown: all
  // that it is given escapes, and what it calls may be in any thread.
  add(models, {.started_object = 1},
      "_ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE");
  return models;
}

// Members of classes that libstdc++ has compiled once and for all: strings and streams. They keep no argument
// but the object itself.
bool is_string_or_stream(std::string_view name) {
  for (std::string_view prefix : {"_ZNSs",
                                  "_ZNKSs",
                                  "_ZNSt7__cxx1112basic_string",
                                  "_ZNKSt7__cxx1112basic_string",
                                  "_ZNSo",
                                  "_ZNSi",
                                  "_ZNSd",
                                  "_ZStls",
                                  "_ZStrs",
                                  "_ZSt4endl",
                                  "_ZSt5flush",
                                  "_ZSt16__ostream_insert",
                                  "_ZSt7getline",
                                  "_ZNKSt9basic_ios",
                                  "_ZNSt9basic_ios",
                                  "_ZNSt7__cxx1118basic_stringstream",
                                  "_ZNSt7__cxx1119basic_ostringstream",
                                  "_ZNSt7__cxx1119basic_istringstream",
                                  "_ZNSt14basic_ifstream",
                                  "_ZNSt14basic_ofstream",
                                  "_ZNSt9exception",
                                  "_ZNKSt9exception",
                                  "_ZNSt13runtime_error",
                                  "_ZNSt11logic_error",
                                  "_ZNSt16invalid_argument",
                                  "_ZNSt12out_of_range",
                                  "_ZNSt12length_error",
                                  "_ZNKSt13runtime_error",
                                  "_ZNKSt11logic_error",
                                  "_ZNSt6locale",
                                  "_ZNKSt7__cxx1118basic_stringstream",
                                  "_ZNKSt7__cxx1119basic_ostringstream",
                                  "_ZNSt8ios_base"}) {
    if (name.starts_with(prefix)) return true;
  }
  return false;
}

}  // namespace

const ExternalModel& external_model(const std::string& linkage_name) {
  static const Models kModels = make_models();
  static const ExternalModel kUnknown;
  static const ExternalModel kNothing{.is_known = true};
  static const ExternalModel kLibraryObject{.is_known = true,
                                            .returns_outside = true,
                                            .returns_argument = 0,
                                            .reads_arguments = true,
                                            .writes_argument = 0,
                                            .keeps_outside = 0};
  const auto found = kModels.find(linkage_name);
  if (found != kModels.end()) return found->second;
  if (is_string_or_stream(linkage_name)) return kLibraryObject;
  // Arithmetic of the compiler's.
  for (std::string_view prefix :
       {"llvm.umul",     "llvm.smul", "llvm.uadd",   "llvm.sadd",        "llvm.usub",       "llvm.ssub",
        "llvm.abs",      "llvm.smax", "llvm.smin",   "llvm.umax",        "llvm.umin",       "llvm.ctpop",
        "llvm.ctlz",     "llvm.cttz", "llvm.bswap",  "llvm.fabs",        "llvm.fmuladd",    "llvm.fsh",
        "llvm.lifetime", "llvm.dbg",  "llvm.expect", "llvm.is.constant", "llvm.objectsize", "llvm.floor",
        "llvm.ceil",     "llvm.sqrt", "llvm.pow",    "llvm.prefetch",    "__sanitizer_cov", "__tsan_"}) {
    if (linkage_name.starts_with(prefix)) return kNothing;
  }
  return kUnknown;
}

}  // namespace heddle::program
