#include "generate/class_reader/header_parse.h"

#include <memory>
#include <utility>

#include <clang/Basic/DiagnosticOptions.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/FrontendAction.h>
#include <clang/Frontend/Utils.h>
#include <clang/Lex/PPCallbacks.h>
#include <clang/Lex/Preprocessor.h>
#include <clang/Lex/PreprocessorOptions.h>
#include <clang/Sema/SemaConsumer.h>
#include <fmt/format.h>

#include "generate/class_reader/compiler_flags.h"

namespace heddle::generate {
namespace {

constexpr const char* kSource = "heddle_class_reader.cpp";
constexpr size_t kMostNotes = 3;  // of one error

class ErrorCollector : public clang::DiagnosticConsumer {
 public:
  ErrorCollector(size_t tail, std::vector<CompileError>& errors) : tail_(tail), errors_(errors) {}

  void HandleDiagnostic(clang::DiagnosticsEngine::Level level, const clang::Diagnostic& diagnostic) override {
    const bool is_note = level == clang::DiagnosticsEngine::Note;
    if (!diagnostic.hasSourceManager() || (level < clang::DiagnosticsEngine::Error && !is_note)) {
      notes_ = kMostNotes;  // those of what is left out
      return;
    }
    if (is_note && ++notes_ > kMostNotes) return;
    const clang::SourceManager& sources = diagnostic.getSourceManager();
    const clang::SourceLocation location = sources.getExpansionLoc(diagnostic.getLocation());
    const bool in_tail =
        location.isValid() && sources.isInMainFile(location) && sources.getFileOffset(location) >= tail_;
    llvm::SmallString<256> words;
    diagnostic.FormatDiagnostic(words);
    std::string text = fmt::format("{}: {}", is_note ? "note" : "error", std::string(words));
    const clang::PresumedLoc place = sources.getPresumedLoc(location);
    if (place.isValid() && !sources.isInMainFile(location))
      text = fmt::format("{}:{}:{}: {}", place.getFilename(), place.getLine(), place.getColumn(), text);
    if (!is_note) {
      notes_ = 0;
      errors_.push_back({std::move(text), in_tail});
    } else if (!errors_.empty()) {
      errors_.back().text += "\n" + text;
    }
  }

 private:
  const size_t tail_;
  std::vector<CompileError>& errors_;
  size_t notes_ = kMostNotes;
};

class IncludedFiles : public clang::PPCallbacks {
 public:
  IncludedFiles(const clang::SourceManager& sources, std::set<const clang::FileEntry*>& files)
      : sources_(sources), files_(files) {}

  void InclusionDirective(clang::SourceLocation hash, const clang::Token&, llvm::StringRef, bool,
                          clang::CharSourceRange, clang::OptionalFileEntryRef file, llvm::StringRef,
                          llvm::StringRef, const clang::Module*, bool,
                          clang::SrcMgr::CharacteristicKind) override {
    if (file && sources_.isInMainFile(hash)) files_.insert(&file->getFileEntry());
  }

 private:
  const clang::SourceManager& sources_;
  std::set<const clang::FileEntry*>& files_;
};

using Reader = std::function<void(clang::Sema&)>;

class ReadingConsumer : public clang::SemaConsumer {
 public:
  explicit ReadingConsumer(const Reader& reader) : reader_(reader) {}

  void InitializeSema(clang::Sema& sema) override { sema_ = &sema; }
  void ForgetSema() override { sema_ = nullptr; }
  // What the standard library does is known.
  bool shouldSkipFunctionBody(clang::Decl* declaration) override {
    return sema_->getSourceManager().isInSystemHeader(declaration->getLocation());
  }
  void HandleTranslationUnit(clang::ASTContext&) override { reader_(*sema_); }

 private:
  const Reader& reader_;
  clang::Sema* sema_ = nullptr;
};

class ReadingAction : public clang::ASTFrontendAction {
 public:
  ReadingAction(Reader reader, std::set<const clang::FileEntry*>& files)
      : reader_(std::move(reader)), files_(files) {}

  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance& compiler,
                                                        llvm::StringRef) override {
    compiler.getPreprocessor().addPPCallbacks(
        std::make_unique<IncludedFiles>(compiler.getSourceManager(), files_));
    return std::make_unique<ReadingConsumer>(reader_);
  }

 private:
  Reader reader_;
  std::set<const clang::FileEntry*>& files_;
};

std::string include_lines(const std::vector<std::string>& headers) {
  std::string lines;
  for (const std::string& header : headers) {
    const bool is_quoted = !header.starts_with('<') && !header.starts_with('"');
    lines += is_quoted ? fmt::format("#include \"{}\"\n", header) : fmt::format("#include {}\n", header);
  }
  return lines;
}

}  // namespace

bool parse_headers(const ParseRequest& request, const std::function<void(ParsedHeaders&)>& reader) {
  const std::string includes = include_lines(request.headers);
  // The path decides where Clang looks for its own headers.
  std::vector<std::string> words = {HEDDLE_CLANG};
  for (std::string& flag : reading_flags(request.flags)) words.push_back(std::move(flag));
  words.insert(words.end(), {"-w", "-fsyntax-only", "-x", "c++", kSource});
  std::vector<const char*> arguments;
  for (const std::string& word : words) arguments.push_back(word.c_str());

  std::vector<CompileError> errors;
  std::set<const clang::FileEntry*> files;
  ErrorCollector collector(includes.size(), errors);
  clang::CompilerInstance compiler;
  compiler.createDiagnostics(&collector, /*ShouldOwnClient=*/false);
  clang::CreateInvocationOptions options;
  options.Diags = &compiler.getDiagnostics();
  options.RecoverOnError = true;
  std::shared_ptr<clang::CompilerInvocation> invocation = clang::createInvocation(arguments, options);
  if (!invocation) return false;
  invocation->getFrontendOpts().SkipFunctionBodies = true;
  invocation->getFrontendOpts().DisableFree = false;
  invocation->getPreprocessorOpts().addRemappedFile(
      kSource, llvm::MemoryBuffer::getMemBufferCopy(includes + request.tail, kSource).release());
  compiler.setInvocation(std::move(invocation));
  compiler.getDiagnostics().Reset();

  bool was_read = false;
  ReadingAction action(
      [&](clang::Sema& sema) {
        ParsedHeaders parsed{sema, errors, files};
        // What Clang is asked from here on may be wrong.
        sema.getDiagnostics().setErrorLimit(0);
        sema.getDiagnostics().Reset(/*soft=*/true);
        reader(parsed);
        was_read = true;
      },
      files);
  compiler.ExecuteAction(action);
  return was_read;
}

}  // namespace heddle::generate
