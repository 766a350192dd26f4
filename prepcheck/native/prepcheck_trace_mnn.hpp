// prepcheck_trace_mnn.hpp - records what a program hands to MNN's Interpreter, Tensor and CV::ImageProcess (C++11).
//
// Include it last, after MNN's headers and every other one:
//     #include <MNN/Interpreter.hpp>
//     #include <MNN/ImageProcess.hpp>
//     #include "prepcheck_trace_mnn.hpp"
// The names Interpreter, Tensor and ImageProcess then stand for classes that add nothing but the recording to MNN's own;
// the program's text stays as it is. They are views: MNN makes the objects, these classes have no members and no virtual
// functions. Where the macros are in the way (callbacks over std::vector<Tensor*>), define PREPCHECK_MNN_NO_MACROS and
// call the functions of namespace prepcheck_mnn. Variables and format: prepcheck_pcrec.h.
#ifndef PREPCHECK_TRACE_MNN_HPP
#define PREPCHECK_TRACE_MNN_HPP

#include <map>
#include <string>
#include <vector>

#include "prepcheck_pcrec.h"

namespace prepcheck_mnn {

inline bool on() { return pcr_on("prepcheck_trace_mnn.hpp", 0) != 0; }

// One event: begun by the constructor, timed between call() and done(), sent by the destructor.
class Event {
public:
    explicit Event(const char *api) : api_(api), on_(on()), from_(0), took_(0) {
        if (on_) pcr_begin(&json_, api);
    }
    ~Event() {
        if (!on_) return;
        pcr_int(&json_, "d", static_cast<int64_t>(took_));
        pcr_send(&json_, api_);
    }
    void call() { from_ = pcr_now(); }
    void done() { took_ = pcr_now() - from_; }
    void number(const char *key, long long value) { if (on_) pcr_int(&json_, key, value); }
    void real(const char *key, double value) { if (on_) pcr_real(&json_, key, value); }
    void address(const char *key, const void *value) { if (on_) pcr_addr(&json_, key, reinterpret_cast<uintptr_t>(value)); }
    void text(const char *key, const char *value) { if (on_ && value) pcr_text(&json_, key, value, 1024); }
    void reals(const char *key, const float *values, int n) {
        if (!on_ || !values) return;
        pcr_open(&json_, key, '{');
        for (int i = 0; i < n; i++) {
            char name[12];
            snprintf(name, sizeof name, "%d", i);
            pcr_real(&json_, name, static_cast<double>(values[i]));
        }
        pcr_close(&json_, '}');
    }
    void shape(const char *key, const std::vector<int> &dims) {
        if (!on_) return;
        pcr_open(&json_, key, '[');
        for (size_t i = 0; i < dims.size(); i++) pcr_integer(&json_, dims[i]);
        pcr_close(&json_, ']');
    }
    void content(const void *data, size_t n, bool keep) {
        if (on_) pcr_content(&json_, data, n, PCR_INPUT_BLOCKS, keep);
    }
    void open(const char *key, char bracket) { if (on_) pcr_open(&json_, key, bracket); }
    void close(char bracket) { if (on_) pcr_close(&json_, bracket); }
    // What a tensor says of itself.
    void tensor(const MNN::Tensor *t) {
        if (!t) return;
        address("tensor", t);
        shape("shape", t->shape());
        number("dim_type", static_cast<int>(t->getDimensionType()));
        number("type_code", static_cast<int>(t->getType().code));
        number("type_bits", static_cast<int>(t->getType().bits));
        number("size", t->size());
        address("host", t->buffer().host);
        number("device", static_cast<long long>(t->deviceId() != 0));
    }

private:
    Event(const Event &);
    Event &operator=(const Event &);
    const char *api_;
    bool on_;
    uint64_t from_, took_;
    pcr_json json_;
};

struct Inputs { // the input tensors of sessions, looked at before each run
    int lock, used;
    unsigned long runs;
    struct { const void *session; const MNN::Tensor *tensor; } bound[64];
};

inline Inputs &inputs() {
    static Inputs all = Inputs();
    return all;
}

inline void remember(const void *session, const MNN::Tensor *tensor) {
    Inputs &all = inputs();
    pcr_acquire(&all.lock);
    bool known = false;
    for (int i = 0; i < all.used; i++) known = known || (all.bound[i].session == session && all.bound[i].tensor == tensor);
    if (!known && tensor && all.used < 64) {
        all.bound[all.used].session = session;
        all.bound[all.used++].tensor = tensor;
    }
    pcr_release(&all.lock);
}

inline void forget(const void *session) {
    Inputs &all = inputs();
    pcr_acquire(&all.lock);
    int kept = 0;
    for (int i = 0; i < all.used; i++) {
        if (all.bound[i].session != session) all.bound[kept++] = all.bound[i];
    }
    all.used = kept;
    pcr_release(&all.lock);
}

inline bool keep() { return inputs().runs < pcr()->keep_runs; }

inline size_t bytes_of(const MNN::Tensor *t) { return t && t->size() > 0 ? static_cast<size_t>(t->size()) : 0; }

template <class Net>
Net *createFromFile(const char *file) {
    Event e("mnn.createFromFile");
    e.text("path", file);
    e.text("version", MNN::getVersion());
    e.call();
    Net *net = static_cast<Net *>(Net::createFromFile(file));
    e.done();
    e.address("net", net);
    return net;
}

template <class Net>
Net *createFromBuffer(const void *buffer, size_t size) {
    Event e("mnn.createFromBuffer");
    e.number("model_size", static_cast<long long>(size));
    e.content(buffer, size, false);
    e.text("version", MNN::getVersion());
    e.call();
    Net *net = static_cast<Net *>(Net::createFromBuffer(buffer, size));
    e.done();
    e.address("net", net);
    return net;
}

inline void schedule(Event &e, const MNN::ScheduleConfig &config) {
    e.number("type", static_cast<int>(config.type));
    e.number("mode", config.mode); // and num_thread: one union
    e.number("backup", static_cast<int>(config.backupType));
    if (!config.backendConfig) return;
    e.number("precision", static_cast<int>(config.backendConfig->precision));
    e.number("memory", static_cast<int>(config.backendConfig->memory));
    e.number("power", static_cast<int>(config.backendConfig->power));
}

template <class Net>
MNN::Session *createSession(Net *net, const MNN::ScheduleConfig &config) {
    Event e("mnn.createSession");
    e.address("net", net);
    schedule(e, config);
    e.call();
    MNN::Session *session = net->createSession(config);
    e.done();
    forget(session); // one that was released without a word may have had this address
    e.address("session", session);
    return session;
}

template <class Net, class Runtime>
MNN::Session *createSession(Net *net, const MNN::ScheduleConfig &config, const Runtime &runtime) {
    Event e("mnn.createSession");
    e.address("net", net);
    schedule(e, config);
    e.call();
    MNN::Session *session = net->createSession(config, runtime);
    e.done();
    forget(session);
    e.address("session", session);
    return session;
}

template <class Net>
bool releaseSession(Net *net, MNN::Session *session) {
    forget(session);
    return net->releaseSession(session);
}

template <class Net>
MNN::Tensor *getSessionInput(Net *net, const MNN::Session *session, const char *name) {
    Event e("mnn.getSessionInput");
    e.address("session", session);
    e.text("name", name);
    e.call();
    MNN::Tensor *t = net->getSessionInput(session, name);
    e.done();
    e.tensor(t);
    remember(session, t);
    return t;
}

template <class Net>
MNN::Tensor *getSessionOutput(Net *net, const MNN::Session *session, const char *name) {
    Event e("mnn.getSessionOutput");
    e.address("session", session);
    e.text("name", name);
    e.call();
    MNN::Tensor *t = net->getSessionOutput(session, name);
    e.done();
    e.tensor(t);
    return t;
}

// All inputs by name: each is told as if it had been asked for.
template <class Net>
const std::map<std::string, MNN::Tensor *> &getSessionInputAll(Net *net, const MNN::Session *session) {
    typedef std::map<std::string, MNN::Tensor *> Tensors;
    const Tensors &all = net->getSessionInputAll(session);
    for (Tensors::const_iterator it = all.begin(); it != all.end(); ++it) {
        Event e("mnn.getSessionInput");
        e.address("session", session);
        e.text("name", it->first.c_str());
        e.tensor(it->second);
        remember(session, it->second);
    }
    return all;
}

template <class Net>
void resizeTensor(Net *net, MNN::Tensor *t, const std::vector<int> &dims) {
    Event e("mnn.resizeTensor");
    e.address("tensor", t);
    e.shape("to", dims);
    e.call();
    net->resizeTensor(t, dims);
    e.done();
}

template <class Net>
void resizeSession(Net *net, MNN::Session *session) {
    Event e("mnn.resizeSession");
    e.address("session", session);
    e.call();
    net->resizeSession(session);
    e.done();
}

template <class Net>
void resizeSession(Net *net, MNN::Session *session, int reallocate) {
    Event e("mnn.resizeSession");
    e.address("session", session);
    e.call();
    net->resizeSession(session, reallocate);
    e.done();
}

template <class Net>
MNN::ErrorCode runSession(const Net *net, MNN::Session *session) {
    Inputs &all = inputs();
    Event e("mnn.runSession");
    e.address("session", session);
    e.open("inputs", '[');
    pcr_acquire(&all.lock);
    for (int i = 0; i < all.used; i++) {
        if (all.bound[i].session != session) continue;
        const MNN::Tensor *t = all.bound[i].tensor;
        e.open(NULL, '{');
        e.tensor(t);
        if (t->buffer().host) e.content(t->buffer().host, bytes_of(t), keep());
        e.close('}');
    }
    pcr_release(&all.lock);
    e.close(']');
    e.call();
    MNN::ErrorCode code = net->runSession(session);
    e.done();
    __sync_fetch_and_add(&all.runs, 1);
    e.number("ret", static_cast<int>(code));
    return code;
}

inline bool copyFromHostTensor(MNN::Tensor *to, const MNN::Tensor *from) {
    Event e("mnn.copyFromHostTensor");
    e.address("to", to);
    e.tensor(from);
    if (from && from->buffer().host) e.content(from->buffer().host, bytes_of(from), keep());
    e.call();
    bool done = to->MNN::Tensor::copyFromHostTensor(from);
    e.done();
    e.number("done", done);
    return done;
}

inline bool copyToHostTensor(const MNN::Tensor *from, MNN::Tensor *to) {
    Event e("mnn.copyToHostTensor");
    e.address("from", from);
    e.call();
    bool done = from->MNN::Tensor::copyToHostTensor(to);
    e.done();
    e.tensor(to);
    if (done && to && to->buffer().host) e.content(to->buffer().host, bytes_of(to), inputs().runs <= pcr()->keep_runs && pcr()->keep_runs);
    e.number("done", done);
    return done;
}

template <class T>
T *host(const MNN::Tensor *t) {
    Event e("mnn.host");
    e.tensor(t);
    if (t->buffer().host) e.content(t->buffer().host, bytes_of(t), false);
    return t->host<T>();
}

template <class T, class Map, class Dimension>
void *map(T *t, Map kind, Dimension dimension) {
    Event e("mnn.map");
    e.tensor(t);
    e.number("map", static_cast<int>(kind));
    e.number("map_dim_type", static_cast<int>(dimension));
    e.call();
    void *at = t->map(kind, dimension);
    e.done();
    e.address("ptr", at);
    return at;
}

template <class T, class Map, class Dimension>
void unmap(T *t, Map kind, Dimension dimension, void *at) {
    Event e("mnn.unmap");
    e.tensor(t);
    e.number("map", static_cast<int>(kind));
    e.number("map_dim_type", static_cast<int>(dimension));
    if (at) e.content(at, bytes_of(t), keep());
    e.call();
    t->unmap(kind, dimension, at);
    e.done();
}

#if defined(ImageProcess_hpp) || defined(MNN_ImageProcess_hpp) // the include guards of the header in MNN 1.x – 3.x
#define PREPCHECK_MNN_CV 1

inline MNN::CV::ImageProcess *created(MNN::CV::ImageProcess *process, const MNN::CV::ImageProcess::Config &config) {
    Event e("mnn.ImageProcess.create");
    e.address("process", process);
    e.number("source_format", static_cast<int>(config.sourceFormat));
    e.number("dest_format", static_cast<int>(config.destFormat));
    e.reals("mean", config.mean, 4);
    e.reals("normal", config.normal, 4);
    e.number("filter", static_cast<int>(config.filterType));
    e.number("wrap", static_cast<int>(config.wrap));
    return process;
}

inline void setMatrix(MNN::CV::ImageProcess *process, const MNN::CV::Matrix &matrix) {
    float nine[9];
    Event e("mnn.ImageProcess.setMatrix");
    for (int i = 0; i < 9; i++) nine[i] = matrix.get(i);
    e.address("process", process);
    e.reals("matrix", nine, 9);
    process->MNN::CV::ImageProcess::setMatrix(matrix);
}

inline void setPadding(MNN::CV::ImageProcess *process, uint8_t value) {
    Event e("mnn.ImageProcess.setPadding");
    e.address("process", process);
    e.number("value", value);
    process->MNN::CV::ImageProcess::setPadding(value);
}

inline MNN::ErrorCode convert(MNN::CV::ImageProcess *process, const uint8_t *source, int width, int height, int stride,
                              MNN::Tensor *to) {
    Event e("mnn.ImageProcess.convert");
    e.address("process", process);
    e.address("source", source);
    e.number("width", width);
    e.number("height", height);
    e.number("stride", stride);
    e.tensor(to);
    // at least a byte a pixel: what a row holds beyond that depends on the format
    if (width > 0 && height > 0) {
        e.content(source, static_cast<size_t>(stride > width ? stride : width) * static_cast<size_t>(height), false);
    }
    e.call();
    MNN::ErrorCode code = process->MNN::CV::ImageProcess::convert(source, width, height, stride, to);
    e.done();
    e.number("ret", static_cast<int>(code));
    return code;
}
#endif

} // namespace prepcheck_mnn

#if !defined(PREPCHECK_MNN_NO_MACROS)
#include "prepcheck_trace_mnn_views.hpp"
#endif

#endif
